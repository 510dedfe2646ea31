/**
 * Whether a path with its query begins as a pattern says: "*" stands for any characters, "$" at the end for the end, as
 * in robots.txt. The time is linear in the length of the path.
 */
export function matchesPattern(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  const last = isWhole ? rest.pop() : undefined;
  const end = endOfParts(path, rest, first.length);
  if (end === -1) return false;
  if (last !== undefined) return path.endsWith(last) && path.length - last.length >= end;
  return !isWhole || end === path.length;
}

/** Whether a text contains the parts of a pattern between its "*", in their order. */
export const containsPattern = (pattern: string, text: string): boolean =>
  endOfParts(text, pattern.split("*"), 0) !== -1;

/** Where the last of the parts ends if they follow each other in the text; -1 if they don't. */
function endOfParts(text: string, parts: string[], from: number): number {
  let at = from;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return -1;
    at = found + part.length;
  }
  return at;
}

/** The part of an address that patterns are about. */
export function patternPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
