import { setTimeout } from "node:timers/promises";
import type { CaptureFailure, Rendered, Snapshot, TextBlock } from "#contract/capture.ts";
import { closedTags } from "#detection/snapshot.ts";
import { failure } from "../failures.ts";
import type { BodyCollector } from "./body-collector.ts";
import { CdpError } from "./cdp-error.ts";
import type { Document, NetworkLog } from "./network-log.ts";
import { type Box, photograph } from "./photograph.ts";
import type { Protocol } from "./protocol.ts";
import { readFrames } from "./read-frames.ts";
import { inPage, type Tab } from "./tab.ts";

type Reading = {
  tab: Tab;
  /** The world beside the page's own that we read it from. */
  world: number;
  secret: string;
  waitMs: number;
  /** How long the page's text was when its network fell silent. */
  textLength: number;
  imagesMs: number;
  maxHtml: number;
  request: { selector: string | null; ignore: string[]; isAwaited?: boolean | undefined };
  log: NetworkLog;
  body: BodyCollector;
};

/** What in-page/collect.js returns. */
type Facts = {
  title: string;
  blocks: TextBlock[];
  links: Snapshot["links"];
  forms: Snapshot["forms"];
  inlineScripts: string[];
  scriptSources: string[];
  hasPassword: boolean;
  htmlLength: number;
  height: number;
  truncated: boolean;
};

export type PageParts = {
  facts: Facts;
  rendered: Rendered | null;
  /** Nothing matched the selector of a thing awaited; all else is of the whole page then. */
  isAbsent: boolean;
  document: Document;
  body: Uint8Array;
  html: string;
  scriptBodies: Map<string, string>;
  cookies: Protocol.Network.Cookie[];
  consoleErrors: string[];
  picture: Snapshot["picture"];
  images: NonNullable<Snapshot["images"]>;
  truncated: boolean;
  timing: { ready: number; picture: number };
};

type Html = { html: string; truncated: boolean };

const scripts = {
  settle: inPage("settle"),
  select: inPage("select"),
  collect: inPage("collect"),
  images: inPage("images"),
  rendered: inPage("rendered"),
  serialize: inPage("serialize"),
};
const limits = {
  scrollSteps: 30,
  timesTooLong: 4,
  renderedMs: 3_000,
  selectorMs: 1_000,
  selectorWallMs: 2_000,
  images: 300,
  collect: {
    maxBlocks: 100_000,
    maxText: 16_000_000,
    maxLinks: 5_000,
    maxList: 2_000_000,
    maxCode: 10_000_000,
  },
  rendered: { closedTags: [...closedTags], maxElements: 100_000, maxListed: 10_000, maxText: 200 },
};

/** Brings a loaded page to rest and takes everything there is to see of it. */
export async function readPage(reading: Reading): Promise<PageParts | { failure: CaptureFailure }> {
  const { tab, world, secret, waitMs, textLength, imagesMs, request, log } = reading;
  const started = performance.now();
  const wait = { secret, waitMs, textLength, imagesMs, scrollSteps: limits.scrollSteps };
  type Settled = { errors: string[]; frames: number };
  const { errors, frames } = await tab.run<Settled>(world, scripts.settle, wait, waitMs + 1_000);
  if (frames > 0) await readFrames(tab, world, wait);
  const isNarrowed = request.selector !== null || request.ignore.length > 0;
  const selected = isNarrowed ? await select(reading) : { box: null, isAbsent: false };
  if ("failure" in selected) return selected;
  const facts = await tab.run<Facts>(world, scripts.collect, limits.collect);
  // Right before the HTML is read: a page that moves on in between is not the one that was seen.
  const rendered = await tab
    .run<Rendered | null>(world, scripts.rendered, limits.rendered, limits.renderedMs)
    .catch(() => null);
  const document = log.document;
  if (!document?.response) return { failure: failure("protocol") };
  // Printed only to be cut, it would take the page's process and ours seconds.
  if (facts.htmlLength > limits.timesTooLong * reading.maxHtml) return { failure: failure("too-large") };
  const ready = performance.now();
  const corner = { left: Math.max(0, selected.box?.x ?? 0), top: Math.max(0, selected.box?.y ?? 0) };
  const [picture, images, whole, scriptBodies, { cookies }, body] = await Promise.all([
    selected.isAbsent ? null : photograph(tab, facts.height, selected.box),
    tab.run<PageParts["images"]>(world, scripts.images, { max: limits.images, ...corner }),
    isNarrowed ? null : wholeHtml(reading, facts),
    readScripts(tab, log),
    tab.ask("Storage.getCookies", { browserContextId: tab.contextId }),
    reading.body.whole(document.requestId),
  ]);
  const timing = { ready: ready - started, picture: performance.now() - ready };
  // Last, because what is ignored leaves the page for it.
  const { html, truncated } = whole ?? (await serialize(reading));
  return {
    facts,
    rendered,
    isAbsent: selected.isAbsent,
    document,
    body,
    html,
    scriptBodies,
    cookies,
    consoleErrors: errors,
    picture,
    images,
    // A document that still arrives is not the one that is compared next time.
    truncated: truncated || facts.truncated || !document.finished,
    timing,
  };
}

/** Applies the user's selectors, within a second (B7). */
async function select({
  tab,
  world,
  request,
}: Reading): Promise<{ box: Box | null; isAbsent: boolean } | { failure: CaptureFailure }> {
  type Selected = { problem: "invalid" | "none" | null; box: Box | null };
  const { selector, ignore, isAwaited = false } = request;
  const slow = { problem: "slow" as const };
  const matched = tab
    .run<Selected>(world, scripts.select, { selector, ignore }, limits.selectorMs)
    .catch((error: unknown) => {
      if (error instanceof CdpError && error.kind === "ended") return slow;
      throw error;
    });
  // Inside one match the browser cannot be interrupted; its page is given up instead.
  const late = setTimeout(limits.selectorWallMs, slow, { ref: false });
  const found = await Promise.race([matched, late]);
  if (found.problem === null) return { box: found.box, isAbsent: false };
  if (found.problem === "none" && isAwaited) return { box: null, isAbsent: true };
  const sentences = {
    none: `Nothing on the page matches the selector ${selector}`,
    invalid: `This is not a CSS selector: ${selector}`,
    slow: "The selectors take too long on this page",
  };
  return { failure: failure("selector", sentences[found.problem]) };
}

async function wholeHtml(reading: Reading, facts: Facts): Promise<Html> {
  const { tab, maxHtml } = reading;
  // Tags come on top. The page cuts what may be too long before it crosses the pipe.
  if (facts.htmlLength > maxHtml / 4) return serialize(reading);
  const { root } = await tab.send("DOM.getDocument", { depth: 0 });
  const wanted = { nodeId: root.nodeId, includeShadowDOM: true };
  const { outerHTML } = await tab.send("DOM.getOuterHTML", wanted);
  return { html: outerHTML.slice(0, maxHtml), truncated: outerHTML.length > maxHtml };
}

function serialize({ tab, world, maxHtml }: Reading): Promise<Html> {
  return tab.run(world, scripts.serialize, { maxLength: maxHtml });
}

async function readScripts(tab: Tab, log: NetworkLog): Promise<Map<string, string>> {
  const wanted = [...log.scripts].map(async ([url, requestId]) => {
    const answer = await tab.send("Network.getResponseBody", { requestId }).catch(() => null);
    const text = answer?.base64Encoded ? Buffer.from(answer.body, "base64").toString() : answer?.body;
    return [url, text ?? ""] as const;
  });
  return new Map(await Promise.all(wanted));
}
