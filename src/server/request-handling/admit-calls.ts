import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import { abortOnDisconnect } from "#request-limits/abort-on-disconnect.ts";
import { openCallCounter } from "#request-limits/call-counter.ts";
import { openConcurrencyLimit } from "#request-limits/concurrency-limit.ts";
import { callerKey } from "#request-limits/limit-attempts.ts";
import { openProvenTokens } from "#request-limits/proven-tokens.ts";
import { openSlowRefusals } from "#request-limits/slow-refusals.ts";
import { type BodyRules, watchBodies } from "#request-limits/watch-bodies.ts";
import type { App } from "../app.ts";
import { authenticate, type Caller, tokenOf } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Caller | undefined;
    /** The call's slot in the concurrency limit of its address; undefined for requests that aren't API calls. */
    slot: Slot | undefined;
  }
}

type Slot = {
  /** Waits for a slot; returns immediately if the call already has one. */
  enter(): Promise<void>;
  /** Releases the slot, so that the next call of the address can begin. */
  leave(): void;
};

/** Concurrent calls per address. Responses that are ready and only being sent don't count. */
const maxConcurrentCalls = 6;

/** Decided by the matched route, because a path can be spelled in many ways. */
export const isCall = ({ routeOptions }: FastifyRequest) =>
  routeOptions.config.route?.path.startsWith("/api/") ?? false;

const announcesBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Whether the call has a body that is read before its handler runs. */
const hasBodyToRead = ({ method, raw }: FastifyRequest) =>
  method !== "GET" && method !== "HEAD" && announcesBody(raw);

/**
 * Identifies callers, and decides when a call may begin. Callers without proof of who they are count by address, before
 * anything is looked up; all others by account. A call takes one of its address's slots once its body has arrived, so
 * that slow senders don't keep others waiting.
 */
export function admitCalls(server: FastifyInstance, app: App, bodyRules: Partial<BodyRules> = {}): void {
  const byAddress = openCallCounter(app.config.rateLimitPerMinute);
  const byAccount = openCallCounter(app.config.rateLimitPerMinute);
  const concurrency = openConcurrencyLimit(maxConcurrentCalls);
  const slowRefusals = openSlowRefusals();
  const proven = openProvenTokens();
  const bodies = watchBodies(bodyRules);
  const watched = new WeakSet<IncomingMessage>();
  server.decorateRequest("actor", undefined);
  server.decorateRequest("slot", undefined);

  /** Counts one call and sets the rate-limit headers. Returns for how many seconds the caller is refused. */
  function count(counter: typeof byAddress, caller: string, reply: FastifyReply): number {
    const { remaining, resetSeconds, isExceeded } = counter.count(caller);
    reply.header("x-ratelimit-limit", counter.max);
    reply.header("x-ratelimit-remaining", remaining);
    reply.header("x-ratelimit-reset", resetSeconds);
    return isExceeded ? resetSeconds : 0;
  }

  async function identify(request: FastifyRequest, token: string | undefined): Promise<Caller | undefined> {
    let actor: Caller | undefined;
    try {
      actor = await authenticate(app, request);
    } finally {
      // A revoked key counts as a guess.
      if (token && actor) proven.add(token);
      else if (token) proven.forget(token);
    }
    return actor;
  }

  /** Watches a body from when it is read or, if nobody reads it, from when its call is answered. */
  function watchBody({ raw, ip }: FastifyRequest, reply: FastifyReply): void {
    if (watched.has(raw) || !announcesBody(raw) || raw.complete) return;
    watched.add(raw);
    const bytesBefore = raw.socket.bytesRead;
    const end = bodies.begin(
      callerKey(ip),
      () => raw.socket.bytesRead - bytesBefore,
      (reason) => {
        const isAwaited = !reply.raw.headersSent && raw.listenerCount("error") > 0;
        if (!isAwaited) return void raw.destroy();
        // The code that reads the body fails with this reason, so the sender gets it as the response.
        reply.header("connection", "close");
        raw.emit("error", reason);
      },
    );
    raw.once("end", end);
    raw.once("close", end);
  }

  function openSlot(caller: string): Slot {
    let leave: (() => void) | undefined;
    return {
      async enter() {
        if (leave) return;
        const taken = concurrency.enter(caller);
        leave = taken.leave;
        await taken.entered;
      },
      leave() {
        leave?.();
        leave = undefined;
      },
    };
  }

  server.addHook("onRequest", async (request, reply) => {
    if (!isCall(request)) return;
    const token = tokenOf(request);
    const heldMs = token ? slowRefusals.left(token) : 0;
    if (heldMs > 0) throw rateLimited(Math.ceil(heldMs / 1000));
    const address = callerKey(request.ip);
    let isCounted = false;
    const countGuess = () => {
      if (isCounted || (token && proven.has(token))) return;
      isCounted = true;
      const seconds = count(byAddress, address, reply);
      if (seconds > 0) throw rateLimited(seconds);
    };
    countGuess();
    const slot = openSlot(address);
    request.slot = slot;
    reply.raw.once("close", () => slot.leave());
    await slot.enter();
    // While the call waited, its token may have been found invalid.
    countGuess();
    request.actor = await identify(request, token);
    if (token && request.actor) {
      const seconds = count(byAccount, request.actor.accountId, reply);
      if (seconds > 0) {
        slowRefusals.hold(token, seconds * 1000);
        throw rateLimited(seconds);
      }
    }
    if (hasBodyToRead(request)) slot.leave();
  });

  server.addHook("preParsing", async (request, reply) => {
    if (hasBodyToRead(request)) watchBody(request, reply);
  });

  server.addHook("preValidation", async (request) => {
    // An uploaded file is read by its handler, which takes the slot once the file has arrived.
    if (request.routeOptions.config.route?.bodyType !== "multipart") await request.slot?.enter();
  });

  server.addHook("onSend", async (request, reply) => {
    request.slot?.leave();
    watchBody(request, reply);
    if (reply.statusCode !== 429) return;
    // Nobody reads the body of a refused call, and an unread body would count as still arriving.
    request.raw.resume();
    const token = tokenOf(request);
    const isKnown = token && (request.actor || slowRefusals.left(token) > 0);
    await slowRefusals.wait(isKnown ? token : callerKey(request.ip), abortOnDisconnect(reply));
  });
}

const rateLimited = (seconds: number) =>
  new AppError("RATE_LIMITED", undefined, { retryAfterSeconds: seconds });
