import { foldInvisible } from "../fold-invisible.ts";

/** White space as a reader sees it: runs become one, invisible characters go. */
export function foldSpace(text: string): string {
  const inner = text.trim();
  return isFolded(inner) ? inner : foldInvisible(inner).replace(/\s+/g, " ").trim();
}

/** Most text is: printed ASCII with single spaces between words. */
function isFolded(text: string): boolean {
  let wasSpace = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code > 126 || (wasSpace && code === 32)) return false;
    wasSpace = code === 32;
  }
  return true;
}
