import type { Region } from "#detection/verdict/verdict.ts";

/** Regions in drawing order: the real ones, which can be stepped through, then those considered noise. */
export type Marks = {
  regions: readonly Region[];
  noise: readonly Region[];
  /** For each region of the verdict, its index in the drawing order. */
  places: readonly number[];
};

const nothing: Marks = { regions: [], noise: [], places: [] };

// The browser rounds positions to whole pixels, so a row of pixels comes or goes where nothing was written.
const maxRoundedRows = 2;

/** Whether a region is only a row or two by which the rest of the page moved. */
function isRounding({ kind, says, old, new: now }: Region): boolean {
  const box = now ?? old;
  const isGap = (kind === "added" || kind === "removed") && says === undefined && box?.x === 0;
  return isGap && box.height <= maxRoundedRows;
}

/** Splits the regions into real ones and noise. If nothing changed, every difference was ignored as noise. */
export function splitRegions(
  comparison: { changed: boolean; regions: readonly Region[] } | null | undefined,
): Marks {
  if (!comparison) return nothing;
  const isNoise = (region: Region) => !comparison.changed || region.isNoise === true || isRounding(region);
  const noise = comparison.regions.filter(isNoise);
  const regions = comparison.regions.filter((region) => !isNoise(region));
  const drawn = new Map([...regions, ...noise].map((region, at) => [region, at]));
  return { regions, noise, places: comparison.regions.map((region) => drawn.get(region) ?? -1) };
}

/** Returns the region at an index of the drawing order, real or noise. */
export function regionAt({ regions, noise }: Marks, at: number): Region | undefined {
  return regions[at] ?? noise[at - regions.length];
}

/** Returns the index in the verdict of the region at an index of the drawing order. */
export function numberOf({ places }: Marks, at: number): number | undefined {
  const number = places.indexOf(at);
  return number < 0 ? undefined : number;
}
