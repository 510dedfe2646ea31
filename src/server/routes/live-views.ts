import type { WebSocket } from "ws";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { LiveInput, type LiveOutput, ticketPrefix } from "#contract/live-view.ts";
import { askLiveView, useTicket } from "#live-view/ask-live-view.ts";
import { type LiveConnection, runLiveView } from "#live-view/run-live-view.ts";
import { isSessionValid } from "#storage/sessions.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { openSocket, protocolsOf } from "../request-handling/sockets.ts";

const full = "All live views of this server are in use. Try again in a few minutes.";
const off = "This server has no live views: its operator switched them off.";
const pingMs = 15_000;
/** How soon a live view ends after the session that opened it. */
const sessionCheckMs = 2_000;
/** Inputs before the browser has started. */
const mostEarly = 20;
/** More than anybody can type and point at. */
const mostPerSecond = 500;

export const liveViewHandlers: Handlers<"createLiveView" | "openLiveView"> = {
  async createLiveView(app, { actor, body }) {
    if (app.config.liveViews === 0) throw new AppError("NOT_READY", off);
    if (!app.liveBrowsers.hasRoom()) throw new AppError("NOT_READY", full);
    return askLiveView(app.jobs, actor, body);
  },
  async openLiveView(app, { actor, params, request, reply }) {
    const ticket = protocolsOf(request, app.config).find((each) => each.startsWith(ticketPrefix));
    if (!app.liveBrowsers.hasRoom()) throw new AppError("NOT_READY", full);
    const row = await useTicket(app.jobs, actor, {
      liveViewId: params.liveViewId,
      ticket: ticket?.slice(ticketPrefix.length) ?? "",
    });
    const socket = await openSocket(request, reply);
    const checking = setInterval(() => {
      isOpenFor(app, actor).then(
        (isOpen) => isOpen || socket.terminate(),
        () => undefined,
      );
    }, sessionCheckMs);
    socket.on("close", () => clearInterval(checking));
    const deps = { ...app.jobs, browsers: app.liveBrowsers };
    await runLiveView(deps, row, connectionOf(socket))
      .catch((error: unknown) => app.logger.error({ err: error }, "a live view failed on our side"))
      .finally(() => socket.close());
  },
};

const isOpenFor = async ({ db }: App, actor: Actor) =>
  "sessionId" in actor && isSessionValid(db, String(actor.sessionId), actor.accountId);

/** Each message that isn't one of ours ends the connection. */
function connectionOf(socket: WebSocket): LiveConnection {
  const gone = new AbortController();
  const waiting: LiveInput[] = [];
  let listener = (input: LiveInput) => {
    waiting.push(input);
  };
  let messages = 0;
  const counting = setInterval(() => {
    messages = 0;
  }, 1_000);
  socket.on("message", (data, isBinary) => {
    if (++messages > mostPerSecond) return socket.terminate();
    const input = isBinary ? undefined : LiveInput.safeParse(readJson((data as Buffer).toString()));
    if (!input?.success) return socket.terminate();
    if (waiting.length < mostEarly) listener(input.data);
  });
  let hasAnswered = true;
  socket.on("pong", () => {
    hasAnswered = true;
  });
  const pinging = setInterval(() => {
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, pingMs);
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    clearInterval(pinging);
    clearInterval(counting);
    gone.abort();
  });
  return {
    send: (output: LiveOutput) => socket.send(JSON.stringify(output)),
    sendFrame: (jpeg) => socket.send(jpeg),
    onInput(each) {
      for (const input of waiting.splice(0)) each(input);
      listener = each;
    },
    gone: gone.signal,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
