import type { Region } from "#detection/verdict.ts";

/** Regions as they are drawn: the real ones, which are stepped through, and behind them those taken for noise. */
export type Marks = {
  regions: readonly Region[];
  noise: readonly Region[];
  /** Where each region of the verdict stands among both. */
  places: readonly number[];
};

const nothing: Marks = { regions: [], noise: [], places: [] };

/** Where nothing changed, all that differs was ignored. */
export function marksOf(
  comparison: { changed: boolean; regions: readonly Region[] } | null | undefined,
): Marks {
  if (!comparison) return nothing;
  const isNoise = (region: Region) => !comparison.changed || region.isNoise === true;
  const noise = comparison.regions.filter(isNoise);
  const regions = comparison.regions.filter((region) => !isNoise(region));
  const drawn = new Map([...regions, ...noise].map((region, at) => [region, at]));
  return { regions, noise, places: comparison.regions.map((region) => drawn.get(region) ?? -1) };
}

/** The region in focus, be it a real one or not. */
export function regionAt({ regions, noise }: Marks, at: number): Region | undefined {
  return regions[at] ?? noise[at - regions.length];
}

/** Which of the verdict's regions it is. */
export function numberOf({ places }: Marks, at: number): number | undefined {
  const number = places.indexOf(at);
  return number < 0 ? undefined : number;
}
