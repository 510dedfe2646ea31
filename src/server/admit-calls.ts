import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callerKey } from "#accounts/limit-attempts.ts";
import { AppError } from "#contract/errors.ts";
import type { App } from "./app.ts";
import { authenticate, type Caller, tokenOf } from "./authenticate.ts";
import { openCallCounter } from "./call-counter.ts";
import { openConcurrencyLimit } from "./concurrency-limit.ts";
import { openPatience } from "./patience.ts";
import { openProvenTokens } from "./proven-tokens.ts";
import { type BodyRules, watchBodies } from "./watch-bodies.ts";
import { whenGone } from "./when-gone.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Caller | undefined;
    /** The call's slot among those of its address; undefined for what is no call. */
    slot: Slot | undefined;
  }
}

type Slot = {
  /** Waits until the call may be worked on; at once where it has its slot already. */
  enter(): Promise<void>;
  /** Lets the next call of the address begin. */
  leave(): void;
};

/** Of one address; what is ready and only on its way does not count. */
const callsAtOnce = 6;

/** By the route that was found, since an address can be spelled in many ways. */
export const isCall = ({ routeOptions }: FastifyRequest) =>
  routeOptions.config.route?.path.startsWith("/api/") ?? false;

const announcesBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Whether a body comes that is read before the call is worked on. */
const isRead = ({ method, raw }: FastifyRequest) =>
  method !== "GET" && method !== "HEAD" && announcesBody(raw);

/**
 * Decides who calls, and when a call may begin. Whoever has not proven who they are is counted by address, before
 * anything is looked up; everybody else by account. A call takes one of its address's slots once its body is there, so
 * that slow senders keep nobody waiting.
 */
export function admitCalls(server: FastifyInstance, app: App, bodyRules: Partial<BodyRules> = {}): void {
  const byAddress = openCallCounter(app.config.rateLimitPerMinute);
  const byAccount = openCallCounter(app.config.rateLimitPerMinute);
  const concurrency = openConcurrencyLimit(callsAtOnce);
  const patience = openPatience();
  const proven = openProvenTokens();
  const bodies = watchBodies(bodyRules);
  const watched = new WeakSet<IncomingMessage>();
  server.decorateRequest("actor", undefined);
  server.decorateRequest("slot", undefined);

  /** Counts one call and tells the caller how many are left; answers for how many seconds it is refused. */
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
      // A key that was revoked is a guess like any other.
      if (token && actor) proven.add(token);
      else if (token) proven.forget(token);
    }
    return actor;
  }

  /** Watches a body from when it is read, or, where nobody will read it, from when its call is answered. */
  function watchBody({ raw, ip }: FastifyRequest, reply: FastifyReply): void {
    if (watched.has(raw) || !announcesBody(raw) || raw.complete) return;
    watched.add(raw);
    const before = raw.socket.bytesRead;
    const end = bodies.begin(
      callerKey(ip),
      () => raw.socket.bytesRead - before,
      (reason) => {
        const isAwaited = !reply.raw.headersSent && raw.listenerCount("error") > 0;
        if (!isAwaited) return void raw.destroy();
        // Whoever reads the body fails with the reason, and so it is what the sender is answered.
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
    const heldMs = token ? patience.left(token) : 0;
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
    // While it waited, its token may have turned out to work no more.
    countGuess();
    request.actor = await identify(request, token);
    if (token && request.actor) {
      const seconds = count(byAccount, request.actor.accountId, reply);
      if (seconds > 0) {
        patience.hold(token, seconds * 1000);
        throw rateLimited(seconds);
      }
    }
    if (isRead(request)) slot.leave();
  });

  server.addHook("preParsing", async (request, reply) => {
    if (isRead(request)) watchBody(request, reply);
  });

  server.addHook("preValidation", async (request) => {
    // A file is read by its handler, which enters when it has it.
    if (request.routeOptions.config.route?.bodyType !== "multipart") await request.slot?.enter();
  });

  server.addHook("onSend", async (request, reply) => {
    request.slot?.leave();
    watchBody(request, reply);
    if (reply.statusCode !== 429) return;
    // Nobody reads the body of a call that was refused, and unread it counts as one that is still arriving.
    request.raw.resume();
    const token = tokenOf(request);
    const isKnown = token && (request.actor || patience.left(token) > 0);
    await patience.wait(isKnown ? token : callerKey(request.ip), whenGone(reply));
  });
}

const rateLimited = (seconds: number) =>
  new AppError("RATE_LIMITED", undefined, { retryAfterSeconds: seconds });
