/** How much is listed of what was taken for noise. */
export const MAX_IGNORED_SHOWN = 1_000;

/** Two values cut to `max` characters around the first place they differ in, what cannot be shown marked. */
export function inSight(
  before: string | null,
  after: string | null,
  max: number,
): [before: string | null, after: string | null] {
  let start = 0;
  if (before !== null && after !== null) {
    const shorter = Math.min(before.length, after.length);
    while (start < shorter && before[start] === after[start]) start++;
    start = Math.max(0, start - Math.floor(max / 3));
  }
  return [cut(before, start, max), cut(after, start, max)];
}

function cut(text: string | null, start: number, max: number): string | null {
  if (text === null) return null;
  if (text.length <= max) return marked(text);
  // The end is shown whole where the difference is near it.
  const from = Math.min(start, text.length - max);
  const [head, tail] = [from > 0 ? "…" : "", from + max < text.length ? "…" : ""];
  return marked(head + text.slice(from, from + max) + tail);
}

/** NUL and half a surrogate pair have no shape of their own, and no storage takes them. */
function marked(text: string): string {
  return text.replaceAll("\0", "␀").toWellFormed();
}
