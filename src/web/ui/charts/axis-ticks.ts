/** Round numbers that span a range in about `count` steps; whole numbers if `isWhole`. */
export function axisTicks(least: number, most: number, count: number, isWhole = false): number[] {
  const range = most - least || Math.abs(most) || 1;
  const roughStep = range / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= roughStep) ?? 10;
  const step = isWhole ? Math.max(1, factor * power) : factor * power;
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  // Multiples instead of sums, so that rounding errors don't add up; the digits hide the last one.
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toFixed(Math.min(digits, 20))),
  );
}
