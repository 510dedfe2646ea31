const maxParts = 8;

/**
 * Whether a path with its query begins as a pattern says: "*" stands for any characters, "$" at the end for the end, as
 * in robots.txt. The time is linear in the length of the path.
 */
export function matchesPattern(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split("*", maxParts);
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isWhole && isLast ? endOf(path, part, at) : path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}

const endOf = (path: string, part: string, from: number) =>
  path.endsWith(part) && path.length - part.length >= from ? path.length - part.length : -1;

/** The part of an address that patterns are about. */
export function patternPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
