import { foldInvisible } from "./fold-invisible.ts";

/** Normalizes white space as a reader sees it: runs become one space, invisible characters are removed. */
export function foldSpace(text: string): string {
  const trimmed = text.trim();
  return isPlain(trimmed) ? trimmed : foldInvisible(trimmed).replace(/\s+/g, " ").trim();
}

/** Fast path: most text is already printable ASCII with single spaces between words. */
function isPlain(text: string): boolean {
  let wasSpace = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126 || (wasSpace && code === 32)) return false;
    wasSpace = code === 32;
  }
  return true;
}
