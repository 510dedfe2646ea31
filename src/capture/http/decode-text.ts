import { analyse } from "chardet";

// Enough to tell a language by; the detector takes a millisecond for each of these.
const sampled = 16 * 1024;
const headed = 1024;
// Below this a guess says less than what is most common. Windows-1252 gives every byte a character of its own.
const minConfidence = 25;
const usual = "windows-1252";

/** A body as text: by its byte order mark, the header, the XML prolog, the meta element, else by what its bytes are. */
export function decodeText(contentType: string, body: Uint8Array): string {
  const mark = markOf(body);
  if (mark !== null) return new TextDecoder(mark).decode(body);
  const declared = labelOf(charsetIn(contentType) ?? charsetInside(body));
  if (declared !== null && declared !== "utf-8") return new TextDecoder(declared).decode(body);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    const text = new TextDecoder().decode(body);
    return declared !== null && isMostlyValid(text) ? text : new TextDecoder(detect(body)).decode(body);
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : null;
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text)?.[1];
}

/** What a document says of itself in its first bytes. They were read as ASCII to be found, so UTF-16 it is not. */
function charsetInside(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, headed)).toString("latin1");
  const prolog = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  const found = prolog ?? charsetIn(/<meta\s[^<>]*charset[^>]*/i.exec(head)?.[0] ?? "");
  return found !== undefined && /^(?:utf-?16|ucs-?2)/i.test(found) ? "utf-8" : found;
}

function labelOf(charset: string | undefined): string | null {
  try {
    return charset === undefined ? null : new TextDecoder(charset).encoding;
  } catch {
    return null;
  }
}

/** Whether it is what it is declared to be but for a few broken bytes. */
function isMostlyValid(text: string): boolean {
  let more = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) more += code === 0xfffd ? -1 : 1;
  }
  return more > 0;
}

function detect(body: Uint8Array): string {
  const first = body.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - headed);
  for (const { name, confidence } of analyse(body.subarray(start, start + sampled))) {
    const label = confidence < minConfidence ? null : labelOf(name);
    if (label !== null && label !== "utf-8" && decodes(label, body)) return label;
  }
  return usual;
}

function decodes(label: string, body: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
