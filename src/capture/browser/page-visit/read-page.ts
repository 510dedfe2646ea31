import type { CaptureFailure, Layout, Rendered, Snapshot, TextBlock } from "#contract/capture.ts";
import { closedTags } from "#detection/snapshot/snapshot.ts";
import { failure } from "../../failures/failures.ts";
import type { Protocol } from "../devtools-protocol/protocol.ts";
import type { Device } from "../emulation/devices.ts";
import { maxHeight, photograph } from "../screenshot/photograph.ts";
import { readPageScript, type Tab } from "../tab.ts";
import type { BodyCollector } from "./body-collector.ts";
import type { Document, NetworkLog } from "./network-log.ts";
import { readFrames } from "./read-frames.ts";

type Reading = {
  tab: Tab;
  /** The isolated JavaScript world from which we read the page. */
  world: number;
  secret: string;
  waitMs: number;
  /** Length of the page's text when its network became quiet. */
  textLength: number;
  imagesMs: number;
  maxHtml: number;
  log: NetworkLog;
  body: BodyCollector;
  /** Scrolls to the end even where the page doesn't look as if it loaded more on the way. */
  scrolls: boolean;
  device: Device;
  onSettled?: (() => void) | undefined;
};

/** What in-page/collect.js returns. */
type Facts = {
  title: string;
  blocks: TextBlock[];
  /** The packed boxes of the blocks. */
  texts: string;
  links: Snapshot["links"];
  forms: Snapshot["forms"];
  scriptSources: string[];
  hasPassword: boolean;
  htmlLength: number;
  height: number;
  width: number;
  truncated: boolean;
};

export type PageParts = {
  facts: Facts;
  rendered: Rendered | null;
  layout: Layout | null;
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
  settle: readPageScript("settle"),
  number: readPageScript("number"),
  collect: readPageScript("collect"),
  images: readPageScript("images"),
  rendered: readPageScript("rendered"),
  serialize: readPageScript("serialize"),
  trim: readPageScript("trim"),
};
const limits = {
  scrollSteps: 30,
  timesTooLong: 4,
  timesTooHigh: 10,
  // 60,000 paragraphs take five seconds on a busy machine.
  collectMs: 15_000,
  renderedMs: 10_000,
  images: 300,
  collect: {
    maxBlocks: 100_000,
    maxText: 16_000_000,
    maxLinks: 5_000,
    maxList: 2_000_000,
    maxMeasured: 80_000_000,
  },
  rendered: { closedTags: [...closedTags], maxElements: 100_000, maxListed: 10_000, maxText: 200 },
};

/** Waits until a loaded page has settled, then reads everything visible on it and takes its picture. */
export async function readPage(reading: Reading): Promise<PageParts | { failure: CaptureFailure }> {
  const { tab, world, secret, waitMs, textLength, imagesMs, log } = reading;
  const started = performance.now();
  const { scrolls, device } = reading;
  const wait = { secret, waitMs, textLength, imagesMs, scrollSteps: limits.scrollSteps, scrolls };
  type Settled = { errors: string[]; frames: number };
  const { errors, frames } = await tab.run<Settled>(world, scripts.settle, wait, waitMs + 1_000);
  if (frames > 0) await readFrames(tab, world, wait);
  reading.onSettled?.();
  await tab.run(world, scripts.number, limits.rendered);
  const facts = await tab.run<Facts>(world, scripts.collect, limits.collect, limits.collectMs);
  // Runs right before the HTML is read: if the page changes in between, the two do not match.
  type Shown = { rendered: Rendered | null; elements?: number; boxes: string };
  const { rendered, elements, boxes } = await tab
    .run<Shown>(world, scripts.rendered, limits.rendered, limits.renderedMs)
    .catch((): Shown => ({ rendered: null, boxes: "" }));
  const layout = elements === undefined ? null : { elements, boxes, texts: facts.texts };
  const document = log.document;
  if (!document?.response) return { failure: failure("protocol") };
  // Serializing it only to cut it would take seconds in the page's process and in ours.
  if (facts.htmlLength > limits.timesTooLong * reading.maxHtml) return { failure: failure("too-large") };
  const ready = performance.now();
  const readParts = () =>
    Promise.all([
      tab.run<PageParts["images"]>(world, scripts.images, { max: limits.images }),
      wholeHtml(reading, facts),
      readScripts(tab, log),
      tab.ask("Storage.getCookies", { browserContextId: tab.contextId }),
      reading.body.whole(document.requestId),
    ]);
  const isHigh = facts.height > limits.timesTooHigh * maxHeight;
  const earlyParts = isHigh ? await readParts() : undefined;
  if (isHigh) await tab.run(world, scripts.trim, { height: maxHeight });
  const [picture, [images, { html, truncated }, scriptBodies, { cookies }, body]] = await Promise.all([
    photograph(tab, device.isMobile ? facts : { height: facts.height }, device),
    earlyParts ?? readParts(),
  ]);
  const timing = { ready: ready - started, picture: performance.now() - ready };
  return {
    facts,
    rendered,
    layout,
    document,
    body,
    html,
    scriptBodies,
    cookies,
    consoleErrors: errors,
    picture,
    images,
    // A document that is still loading differs from the complete one that the next capture gets.
    truncated: truncated || facts.truncated || !document.finished,
    timing,
  };
}

async function wholeHtml(reading: Reading, facts: Facts): Promise<Html> {
  const { tab, maxHtml } = reading;
  // `htmlLength` does not count tags. HTML that may be too long is cut in the page, before it crosses the pipe.
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
