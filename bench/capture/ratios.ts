/** Runs `task` `count` times, `width` at once, and returns the runs per second. */
export async function rate(
  count: number,
  width: number,
  task: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await task(next++);
    }),
  );
  return (count / (performance.now() - started)) * 1_000;
}

/** Runs all variants in turn, round by round, so that a drift of the machine affects all of them. */
export async function interleaved(
  rounds: number,
  variants: Record<string, () => Promise<number>>,
): Promise<Record<string, number[]>> {
  const rates: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(variants)) (rates[name] ??= []).push(await run());
  }
  return rates;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median over all rounds of one variant's rate divided by another's in the same round. */
export function ratio(numerators: number[] = [], denominators: number[] = []): number {
  return median(numerators.map((value, round) => value / (denominators[round] ?? Number.NaN)));
}
