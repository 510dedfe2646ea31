/**
 * Estimates how many parts a pattern has once its repetitions are written out: `(ab){1000}` has 2,000. This is known
 * before the pattern is compiled, which would take seconds for a million parts.
 */
export function patternSize(source: string): number {
  const outer: number[] = [];
  let size = 0;
  let last = 0;
  const add = (parts: number) => {
    size += parts;
    last = parts;
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") {
      at++;
      add(1);
    } else if (char === "[") {
      at = endOfClass(source, at);
      add(1);
    } else if (char === "(") {
      outer.push(size);
      size = 0;
    } else if (char === ")") {
      const inner = size;
      size = outer.pop() ?? 0;
      add(inner + 1);
    } else if (char === "{") {
      const [whole = "", least = "", most = ""] =
        /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(source.slice(at, at + 12)) ?? [];
      if (whole === "") add(1);
      else {
        const times = Math.max(Number(least), Number(most), 1);
        size += last * (times - 1);
        last *= times;
        at += whole.length - 1;
      }
    } else add(1);
  }
  return outer.reduce((sum, parts) => sum + parts, size);
}

/** The position at which a character class such as `[^a-z\]]` ends. */
function endOfClass(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === "^") at++;
  // A closing bracket in first position is a literal.
  if (source[at] === "]") at++;
  for (; at < source.length && source[at] !== "]"; at++) if (source[at] === "\\") at++;
  return at;
}
