import { hash, subtle } from "node:crypto";
import { Parser } from "htmlparser2";
import type { BrowserSettings } from "#contract/browser-settings.ts";
import type { ContentKind, Snapshot, TextBlock } from "#contract/capture.ts";
import type { StandIn } from "../bot-walls/recognize-stand-in.ts";

/** What one capture learns for the next capture of the same job; plain data that the caller stores. */
export type Evidence = {
  /** Hash of the URL, headers and wait settings it was learned with; a different request does not use it. */
  requestSha256: string;
  kind: ContentKind;
  /** ETag, else Last-Modified. */
  validator: string | null;
  bodySha256: string;
  /** Whether scripts add visible text that the HTML does not contain. */
  needsScript: boolean;
  /** Checks answered by plain HTTP since the last capture by a browser. */
  checksByHttp: number;
  finalUrl: string;
  hasPassword: boolean;
  /** Length and sketch of the visible text, and what replaced the page, if it was already a replacement. */
  textLength?: number;
  textSketch?: number[];
  standIn?: StandIn;
  /** How the browser opened the page, if not as usual. */
  browser?: BrowserSettings;
  /** SHA-256 of the steps that were done before the capture. */
  steps?: string;
  /** The identity that was signed in. */
  identity?: string;
  /** Version of the rules for consent banners; absent if none was to be answered. */
  consentRules?: string;
  /** What was done about a consent banner. */
  consent?: Pick<NonNullable<Snapshot["consent"]>, "rule" | "action" | "result">;
  /** The ids of the job's proxies, and of the one that the capture went through. */
  proxies?: string[];
  proxy?: string;
};

// Images and styles can change while the HTML stays the same, so a browser captures the page after this many checks.
const maxChecksByHttp = 9;

// Above this size, handing the data to a thread costs less than blocking the event loop.
const maxInlineLength = 64 * 1024;

/** SHA-256 as hex; large inputs are hashed in a worker thread. */
export async function sha256(data: Uint8Array | string): Promise<string> {
  if (data.length <= maxInlineLength) return hash("sha256", data);
  const bytes = typeof data === "string" ? Buffer.from(data) : (data as Uint8Array<ArrayBuffer>);
  return Buffer.from(await subtle.digest("SHA-256", bytes)).toString("hex");
}

export function validatorOf(headers: readonly (readonly [string, string])[]): string | null {
  const value = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  return value("etag") ?? value("last-modified") ?? null;
}

/** Whether, judging by earlier captures, an unchanged body is enough to know that the page is unchanged. */
export function canCheckByHttp(evidence: Evidence): boolean {
  if (evidence.kind !== "html") return true;
  return !evidence.needsScript && evidence.validator !== null && evidence.checksByHttp < maxChecksByHttp;
}

/** The conditional headers for the next request. */
export function conditions(evidence: Pick<Evidence, "validator">): [string, string][] {
  if (evidence.validator === null) return [];
  const isTag = /^(W\/)?"/.test(evidence.validator);
  return [[isTag ? "if-none-match" : "if-modified-since", evidence.validator]];
}

/** True when some visible text is missing in the HTML as sent, so a script must have added it. */
export function needsScript(html: string, blocks: TextBlock[]): boolean {
  const sent = removeSpaces(staticText(html));
  let from = 0;
  let backwards = 0;
  for (const block of blocks) {
    if (block.role === "control") continue;
    const text = removeSpaces(block.text);
    let at = find(sent, text, from);
    // Layout may show text in a different order than the HTML, but each search from the start scans the whole page.
    if (at === -1 && ++backwards <= 100) at = find(sent, text, 0);
    if (at === -1) return true;
    from = at;
  }
  return false;
}

// On a page that repeats one letter every position is a candidate; after these tries such pages get a browser.
const probe = { length: 16, tries: 16 };

/** Like indexOf, but takes linear time for any input; it may miss a match. */
function find(sent: string, text: string, from: number): number {
  const start = text.slice(0, probe.length);
  let at = sent.indexOf(start, from);
  for (let tries = 0; at !== -1 && tries < probe.tries; tries++) {
    if (sent.startsWith(text, at)) return at;
    at = sent.indexOf(start, at + 1);
  }
  return -1;
}

function staticText(html: string): string {
  const hidden = new Set(["script", "style", "noscript", "template", "title"]);
  const parts: string[] = [];
  let depth = 0;
  const parser = new Parser({
    onopentagname: (name) => void (hidden.has(name) && depth++),
    onclosetag: (name) => void (hidden.has(name) && depth--),
    ontext: (text) => void (depth === 0 && parts.push(text)),
  });
  parser.end(html);
  return parts.join("");
}

function removeSpaces(text: string): string {
  return text.replace(/\s+/g, "");
}
