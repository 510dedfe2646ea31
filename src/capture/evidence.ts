import { hash, subtle } from "node:crypto";
import { Parser } from "htmlparser2";
import type { ContentKind, TextBlock } from "#contract/capture.ts";

/** What one capture teaches the next of the same job; plain data, kept by the caller. */
export type Evidence = {
  /** Of the URL, the headers and the waiting it was learned with; anything else starts afresh. */
  requestSha256: string;
  kind: ContentKind;
  /** ETag, else Last-Modified. */
  validator: string | null;
  bodySha256: string;
  /** Whether scripts put visible text on the page that its HTML does not hold. */
  needsScript: boolean;
  /** Checks answered without a browser since one last looked. */
  checksByHttp: number;
  finalUrl: string;
  hasPassword: boolean;
};

// Pictures and styles can change while the HTML stands, so a browser looks again after this many checks.
const maxChecksByHttp = 9;

// Above this a thread's turn costs less than the time for which the loop would stand still.
const atOnce = 64 * 1024;

/** In hexadecimal; of much, in a thread. */
export async function sha256(data: Uint8Array | string): Promise<string> {
  if (data.length <= atOnce) return hash("sha256", data);
  const bytes = typeof data === "string" ? Buffer.from(data) : (data as Uint8Array<ArrayBuffer>);
  return Buffer.from(await subtle.digest("SHA-256", bytes)).toString("hex");
}

export function validatorOf(headers: readonly (readonly [string, string])[]): string | null {
  const value = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  return value("etag") ?? value("last-modified") ?? null;
}

/** Whether an unchanged body would be answer enough, going by what earlier captures showed. */
export function mayAskByHttp(evidence: Evidence): boolean {
  if (evidence.kind !== "html") return true;
  return !evidence.needsScript && evidence.validator !== null && evidence.checksByHttp < maxChecksByHttp;
}

/** Our conditional headers for the next request. */
export function conditions(evidence: Evidence): [string, string][] {
  if (evidence.validator === null) return [];
  const isTag = /^(W\/)?"/.test(evidence.validator);
  return [[isTag ? "if-none-match" : "if-modified-since", evidence.validator]];
}

/** True when some visible text is not in the HTML as it was sent: a script must have put it there. */
export function needsScript(html: string, blocks: TextBlock[]): boolean {
  const sent = squeeze(staticText(html));
  let from = 0;
  let backwards = 0;
  for (const block of blocks) {
    if (block.role === "control") continue;
    const text = squeeze(block.text);
    let at = find(sent, text, from);
    // Layout may show text in another order than it was sent in, but each look back costs the whole page.
    if (at === -1 && ++backwards <= 100) at = find(sent, text, 0);
    if (at === -1) return true;
    from = at;
  }
  return false;
}

// A page of one letter makes every place a likely one; whoever writes such pages gets a browser.
const probe = { length: 16, tries: 16 };

/** Like indexOf, but linear whatever is sought in whatever; it may miss. */
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

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
