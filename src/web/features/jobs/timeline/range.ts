/** A stretch of time, in milliseconds. */
export type Range = { from: number; to: number };

const shortest = 10 * 60_000;

/** A longer or shorter stretch around a place in it (0 to 1), never past the limit. */
export function zoom({ from, to }: Range, limit: Range, by: number, at = 0.5): Range {
  const whole = Math.max(limit.to - limit.from, shortest);
  const length = Math.min(whole, Math.max(shortest, (to - from) * by));
  const start = from + (to - from - length) * at;
  return within({ from: start, to: start + length }, limit);
}

/** The stretch moved by a share of its length. */
export function pan({ from, to }: Range, limit: Range, by: number): Range {
  const distance = (to - from) * by;
  return within({ from: from + distance, to: to + distance }, limit);
}

function within({ from, to }: Range, limit: Range): Range {
  const length = to - from;
  const start = Math.max(limit.from, Math.min(from, limit.to - length));
  return { from: Math.round(start), to: Math.round(start + length) };
}
