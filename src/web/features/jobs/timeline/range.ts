/** A time range, in milliseconds. */
export type Range = { from: number; to: number };

const shortest = 10 * 60_000;

/** Scales a range around a point in it (`at`, from 0 to 1), never beyond the limit. */
export function zoom({ from, to }: Range, limit: Range, by: number, at = 0.5): Range {
  const whole = Math.max(limit.to - limit.from, shortest);
  const length = Math.min(whole, Math.max(shortest, (to - from) * by));
  const start = from + (to - from - length) * at;
  return clampTo({ from: start, to: start + length }, limit);
}

/** Moves a range by a fraction of its length, never beyond the limit. */
export function pan({ from, to }: Range, limit: Range, by: number): Range {
  const distance = (to - from) * by;
  return clampTo({ from: from + distance, to: to + distance }, limit);
}

function clampTo({ from, to }: Range, limit: Range): Range {
  const length = to - from;
  const start = Math.max(limit.from, Math.min(from, limit.to - length));
  return { from: Math.round(start), to: Math.round(start + length) };
}
