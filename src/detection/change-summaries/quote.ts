/** Quotes the beginning of a text, cut between words. */
export function quoteStart(text: string, length: number): string {
  return quote(cut(text, length));
}

/** Quotes a text without the marks around it: those of a list in front, quotation marks of its own. */
export function quote(text: string): string {
  return `“${text.replace(/^[•·▪‣–—-]\s+(?=\S)/u, "").replace(/^["“„«](.*)["”“»]$/u, "$1")}”`;
}

/** Cuts between words if one ends nearby, and never inside a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = trimHalfCharacters(text.slice(0, length - 1));
  const space = head.lastIndexOf(" ");
  return `${(space > length * 0.6 ? head.slice(0, space) : head).trimEnd()}…`;
}

/** Removes the halves of characters that a cut leaves at the ends. */
export function trimHalfCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
