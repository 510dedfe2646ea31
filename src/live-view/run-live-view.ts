import type { BrowserPool } from "#capture/browser-pool.ts";
import { BrowserProblem } from "#capture/browser-problem.ts";
import type { SessionJar } from "#capture/session-jar.ts";
import { CdpError, type LiveEvents, type LivePage, showPage } from "#capture/show-page.ts";
import type { LiveInput, LiveOutput } from "#contract/live-view.ts";
import { closeLiveView, type LiveViewRow, renewLiveView } from "#storage/live-views.ts";
import type { Deps } from "./deps.ts";
import { openFrameGate } from "./frame-gate.ts";
import { openInputQueue } from "./input-queue.ts";
import { borrowSession, keepSession } from "./keep-session.ts";
import { type LiveBrowsers, totalMs } from "./live-browsers.ts";

/** The other end of a live view. */
export type LiveConnection = {
  send: (output: LiveOutput) => void;
  sendFrame: (jpeg: Uint8Array) => void;
  onInput: (listener: (input: LiveInput) => void) => void;
  /** Aborted when the other end is gone. */
  gone: AbortSignal;
};

export type LiveLimits = { idleMs: number; totalMs: number };
const usualLimits: LiveLimits = { idleMs: 3 * 60_000, totalMs };
const renewMs = 20_000;

const ends = {
  idle: "The live view was closed because nothing was done in it for a while.",
  total: "The live view was closed because it was open for 15 minutes.",
  gone: "The browser ended. Open the live view again.",
  tooMany: "The page is too slow for so many clicks and keys. Open the live view again.",
  noBrowser: "The browser doesn’t start on this server. Try again later.",
};

/** Runs a live view until it is finished, left, or over its limits. */
export async function runLiveView(
  deps: Deps & { browsers: LiveBrowsers },
  row: LiveViewRow,
  connection: LiveConnection,
  limits: LiveLimits = usualLimits,
): Promise<void> {
  const renewing = setInterval(() => void renewLiveView(deps.db, row.id).catch(() => undefined), renewMs);
  const { gone, send } = connection;
  try {
    const onNotice = (message: string) => send({ type: "notice", message });
    const session = await borrowSession(deps, row, onNotice);
    if ("problem" in session) return send({ type: "end", message: session.problem });
    let shown: LivePage | null = null;
    const use = async (page: LivePage, { ending, onSeen }: { ending: Ending; onSeen: () => void }) => {
      if (gone.aborted) return;
      shown = page;
      operate(deps, row, { page, connection, ending, onSeen });
      const message = await ending.ended;
      if (message) send({ type: "end", message });
      await session.end(page).catch(orIgnore);
    };
    const showing = deps.browsers.use((pool) => show(pool, { row, session, connection, limits, use }), gone);
    try {
      await Promise.race([showing, untilLeft(gone)]);
      // Who left before there was a page doesn't wait for its browser.
      if (shown) await showing;
      else showing.catch(() => undefined);
    } finally {
      if (!shown) await session.end(null);
    }
  } catch (error) {
    if (!(error instanceof CdpError || error instanceof BrowserProblem)) throw error;
    send({ type: "end", message: error instanceof BrowserProblem ? ends.noBrowser : ends.gone });
  } finally {
    clearInterval(renewing);
    await closeLiveView(deps.db, row.id);
  }
}

type Show = {
  row: LiveViewRow;
  session: { jar: SessionJar | null };
  connection: LiveConnection;
  limits: LiveLimits;
  use: (page: LivePage, shown: { ending: Ending; onSeen: () => void }) => Promise<void>;
};

function show(pool: BrowserPool, { row, session, connection, limits, use }: Show): Promise<void> {
  const { send, sendFrame, gone } = connection;
  const gate = openFrameGate(sendFrame);
  const ending = openEnding(gone, limits);
  const events: LiveEvents = {
    onFrame: (jpeg) => gate.offer(jpeg),
    onUrl: (url) => send({ type: "page", url }),
    onSteps: (steps) => send({ type: "steps", steps }),
    onOptions: (options) => send({ type: "options", options }),
    onNotice: (message) => send({ type: "notice", message }),
    onGone: () => ending.end(ends.gone),
  };
  return showPage(pool, { url: row.url, jar: session.jar }, events, (page) =>
    use(page, { ending, onSeen: () => gate.seen() }),
  );
}

function untilLeft(gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => gone.addEventListener("abort", () => resolve(), { once: true }));
}

type Ending = ReturnType<typeof openEnding>;

/** When a live view ends, and what is said then. */
function openEnding(gone: AbortSignal, { idleMs, totalMs: mostMs }: LiveLimits) {
  const { promise: ended, resolve } = Promise.withResolvers<string | null>();
  const total = setTimeout(() => resolve(ends.total), mostMs);
  let idle = setTimeout(() => resolve(ends.idle), idleMs);
  const onGone = () => resolve(null);
  gone.addEventListener("abort", onGone);
  if (gone.aborted) resolve(null);
  void ended.then(() => {
    clearTimeout(total);
    clearTimeout(idle);
  });
  return {
    ended,
    end: resolve,
    noteUse() {
      clearTimeout(idle);
      idle = setTimeout(() => resolve(ends.idle), idleMs);
    },
  };
}

function operate(
  deps: Deps,
  row: LiveViewRow,
  {
    page,
    connection,
    ending,
    onSeen,
  }: { page: LivePage; connection: LiveConnection; ending: Ending; onSeen: () => void },
): void {
  const act = async (input: LiveInput): Promise<void> => {
    if (input.type === "finish") {
      connection.send({ type: "recorded", ...(await page.finish()) });
      ending.end(null);
    } else if (input.type === "point") connection.send({ type: "proof", ...(await page.point(input)) });
    else if (input.type === "keep") {
      const { isKept, message } = row.signs_in
        ? await keepSession(deps, row, page)
        : { isKept: false, message: "This live view doesn’t sign in." };
      connection.send({ type: isKept ? "kept" : "notice", message });
      if (isKept) ending.end(null);
    } else await operatePage(page, input);
  };
  const add = openInputQueue(act, {
    onTooMany: () => ending.end(ends.tooMany),
    onError: (error) => {
      if (error instanceof CdpError && error.kind !== "gone") return;
      ending.end(ends.gone);
    },
  });
  connection.onInput((input) => {
    if (input.type === "seen") return onSeen();
    ending.noteUse();
    add(input);
  });
}

async function operatePage(page: LivePage, input: LiveInput): Promise<void> {
  switch (input.type) {
    case "move":
      return page.move(input);
    case "press":
      return page.press(input, input.clicks);
    case "release":
      return page.release(input, input.clicks);
    case "hover":
      return page.hover(input);
    case "wheel":
      return page.wheel(input);
    case "key":
      return page.key(input.key, input.modifiers);
    case "paste":
      return page.paste(input.text);
    case "choose":
      return page.choose(input.value);
    case "back":
      return page.back();
    case "remove":
      return page.removeStep(input.step);
  }
}

/** A browser that is gone has no session to keep. */
function orIgnore(error: unknown): void {
  if (!(error instanceof CdpError)) throw error;
}
