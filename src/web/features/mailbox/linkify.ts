type Part = { at: number; text: string; href?: string };

const address = /https?:\/\/[^\s<>"'`]+/g;

/** Splits a text into plain parts and http(s) links; a sentence's punctuation stays outside the link. */
export function linkify(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(address)) {
    const found = match[0].replace(/[.,;:!?)\]}]+$/, "");
    if (!URL.canParse(found)) continue;
    if (match.index > end) parts.push({ at: end, text: text.slice(end, match.index) });
    parts.push({ at: match.index, text: found, href: found });
    end = match.index + found.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) });
  return parts;
}
