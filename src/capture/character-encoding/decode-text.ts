import { analyse } from "chardet";

// In bytes. Enough to recognize a language; the detector takes a millisecond for this many.
const sampleBytes = 16 * 1024;
const headBytes = 1024;
// Below this the most common charset is the better guess. Windows-1252 maps every byte to a character of its own.
const minConfidence = 25;
const fallbackCharset = "windows-1252";

/** Decodes a body by its byte order mark, header, XML prolog or meta element, else by guessing from its bytes. */
export function decodeText(contentType: string, body: Uint8Array): string {
  const mark = markOf(body);
  if (mark !== null) return new TextDecoder(mark).decode(body);
  const declared = labelOf(findCharset(contentType) ?? declaredCharset(body));
  if (declared !== null && declared !== "utf-8") return new TextDecoder(declared).decode(body);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    const text = new TextDecoder().decode(body);
    return declared !== null && isMostlyValid(text) ? text : new TextDecoder(guessCharset(body)).decode(body);
  }
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : null;
}

function findCharset(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(text)?.[1];
}

/** The charset declared in the first bytes. They are readable as ASCII, so it can't be UTF-16, even if declared. */
function declaredCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, headBytes)).toString("latin1");
  const prolog = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  const found = prolog ?? findCharset(/<meta\s[^<>]*charset[^>]*/i.exec(head)?.[0] ?? "");
  return found !== undefined && /^(?:utf-?16|ucs-?2)/i.test(found) ? "utf-8" : found;
}

function labelOf(charset: string | undefined): string | null {
  try {
    return charset === undefined ? null : new TextDecoder(charset).encoding;
  } catch {
    return null;
  }
}

/** Whether text decodes as declared except for a few broken bytes. */
function isMostlyValid(text: string): boolean {
  let excess = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) excess += code === 0xfffd ? -1 : 1;
  }
  return excess > 0;
}

function guessCharset(body: Uint8Array): string {
  const first = body.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - headBytes);
  for (const { name, confidence } of analyse(body.subarray(start, start + sampleBytes))) {
    const label = confidence < minConfidence ? null : labelOf(name);
    if (label !== null && label !== "utf-8" && decodes(label, body)) return label;
  }
  return fallbackCharset;
}

function decodes(label: string, body: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
