/** Characters that are listed of each side of an ignored difference. */
export const MAX_IGNORED_SHOWN = 1_000;

/** Cuts two values to `max` characters around their first difference, and marks characters that can't be shown. */
export function excerptDifference(
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
  return [cutAround(before, start, max), cutAround(after, start, max)];
}

function cutAround(text: string | null, start: number, max: number): string | null {
  if (text === null) return null;
  if (text.length <= max) return markUnprintable(text);
  // If the difference is near the end, the last `max` characters are shown.
  const from = Math.min(start, text.length - max);
  const [head, tail] = [from > 0 ? "…" : "", from + max < text.length ? "…" : ""];
  return markUnprintable(head + text.slice(from, from + max) + tail);
}

/** NUL and lone surrogates can neither be displayed nor stored. */
function markUnprintable(text: string): string {
  return text.replaceAll("\0", "␀").toWellFormed();
}
