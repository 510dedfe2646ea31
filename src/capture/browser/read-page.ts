import { setTimeout } from "node:timers/promises";
import type { CaptureFailure, Snapshot, TextBlock } from "#contract/capture.ts";
import { failure } from "../failures.ts";
import type { BodyCollector } from "./body-collector.ts";
import type { Document, NetworkLog } from "./network-log.ts";
import { type Box, photograph } from "./photograph.ts";
import { readFrames } from "./read-frames.ts";
import { inPage, type Tab } from "./tab.ts";

type Reading = {
  tab: Tab;
  /** The world beside the page's own that we read it from. */
  world: number;
  secret: string;
  waitMs: number;
  imagesMs: number;
  maxHtml: number;
  request: { selector: string | null; ignore: string[] };
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
  elements: number;
  textLength: number;
  height: number;
  truncated: boolean;
};

export type PageParts = {
  facts: Facts;
  document: Document;
  body: Uint8Array;
  html: string;
  scriptBodies: Map<string, string>;
  cookies: Snapshot["cookies"];
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
  serialize: inPage("serialize"),
};
const limits = {
  scrollSteps: 30,
  selectorMs: 1_000,
  selectorWallMs: 2_000,
  images: 300,
  collect: { maxBlocks: 20_000, maxText: 2_000_000, maxLinks: 5_000 },
};

/** Brings a loaded page to rest and takes everything there is to see of it. */
export async function readPage(reading: Reading): Promise<PageParts | { failure: CaptureFailure }> {
  const { tab, world, secret, waitMs, imagesMs, request, log } = reading;
  const started = performance.now();
  const wait = { secret, waitMs, imagesMs, scrollSteps: limits.scrollSteps };
  type Settled = { errors: string[]; frames: number };
  const { errors, frames } = await tab.run<Settled>(world, scripts.settle, wait, waitMs + 1_000);
  if (frames > 0) await readFrames(tab, world, wait);
  const isNarrowed = request.selector !== null || request.ignore.length > 0;
  const selected = isNarrowed ? await select(reading) : { box: null };
  if ("failure" in selected) return selected;
  const facts = await tab.run<Facts>(world, scripts.collect, limits.collect);
  const document = log.document;
  if (!document?.response) return { failure: failure("protocol") };
  const ready = performance.now();
  const corner = { left: Math.max(0, selected.box?.x ?? 0), top: Math.max(0, selected.box?.y ?? 0) };
  const [picture, images, whole, scriptBodies, { cookies }, body] = await Promise.all([
    photograph(tab, facts.height, selected.box),
    tab.run<PageParts["images"]>(world, scripts.images, { max: limits.images, ...corner }),
    isNarrowed ? null : wholeHtml(reading, facts),
    readScripts(tab, log),
    tab.ask<{ cookies: Snapshot["cookies"] }>("Storage.getCookies", { browserContextId: tab.contextId }),
    reading.body.whole(document.requestId),
  ]);
  const timing = { ready: ready - started, picture: performance.now() - ready };
  // Last, because what is ignored leaves the page for it.
  const { html, truncated } = whole ?? (await serialize(reading));
  return {
    facts,
    document,
    body,
    html,
    scriptBodies,
    cookies,
    consoleErrors: errors,
    picture,
    images,
    truncated: truncated || facts.truncated,
    timing,
  };
}

/** Applies the user's selectors, within a second (B7). */
async function select({
  tab,
  world,
  request,
}: Reading): Promise<{ box: Box | null } | { failure: CaptureFailure }> {
  type Selected = { problem: "invalid" | "none" | null; box: Box | null };
  const { selector, ignore } = request;
  const slow = { problem: "slow" as const };
  const matched = tab
    .run<Selected>(world, scripts.select, { selector, ignore }, limits.selectorMs)
    .catch((error: Error) => {
      // What Chromium calls an evaluation that it ended.
      if (/terminated|internal error/i.test(error.message)) return slow;
      throw error;
    });
  // Inside one match the browser cannot be interrupted; its page is given up instead.
  const late = setTimeout(limits.selectorWallMs, slow, { ref: false });
  const found = await Promise.race([matched, late]);
  if (found.problem === null) return { box: found.box };
  const sentences = {
    none: `Nothing on the page matches the selector ${selector}`,
    invalid: `This is not a CSS selector: ${selector}`,
    slow: "The selectors take too long on this page",
  };
  return { failure: failure("selector", sentences[found.problem]) };
}

async function wholeHtml(reading: Reading, facts: Facts): Promise<Html> {
  const { tab, maxHtml } = reading;
  // Above this the text alone may pass the limit, and the page cuts it before it crosses the pipe.
  if (facts.textLength > maxHtml / 4 || facts.elements > 50_000) return serialize(reading);
  const { root } = await tab.send<{ root: { nodeId: number } }>("DOM.getDocument", { depth: 0 });
  const wanted = { nodeId: root.nodeId, includeShadowDOM: true };
  const { outerHTML } = await tab.send<{ outerHTML: string }>("DOM.getOuterHTML", wanted);
  return { html: outerHTML.slice(0, maxHtml), truncated: outerHTML.length > maxHtml };
}

function serialize({ tab, world, maxHtml }: Reading): Promise<Html> {
  return tab.run(world, scripts.serialize, { maxLength: maxHtml });
}

async function readScripts(tab: Tab, log: NetworkLog): Promise<Map<string, string>> {
  const wanted = [...log.scripts].map(async ([url, requestId]) => {
    const answer = await tab
      .send<{ body: string; base64Encoded: boolean }>("Network.getResponseBody", { requestId })
      .catch(() => null);
    const text = answer?.base64Encoded ? Buffer.from(answer.body, "base64").toString() : answer?.body;
    return [url, text ?? ""] as const;
  });
  return new Map(await Promise.all(wanted));
}
