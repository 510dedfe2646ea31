import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export type Work = () => unknown;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Median milliseconds of each piece of work, all interleaved so that a busy machine slows them alike. `isHeavy` work
 * leaves much garbage; it is collected first, so that no work pays for the one before it.
 */
export async function measure<Name extends string>(
  work: Record<Name, Work>,
  { rounds = 5, isHeavy = false } = {},
): Promise<Record<Name, number>> {
  const names = Object.keys(work) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      if (isHeavy) collectGarbage();
      const start = performance.now();
      await work[name]();
      // The first round warms up.
      if (round > 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Random numbers that are the same on every machine and in every run. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let missedGoals = 0;

/** Prints one goal and whether it was met; `missed()` counts the missed goals. */
export function goal(name: string, value: number, sign: "<=" | ">=", wanted: number, unit: string): void {
  const isMet = sign === "<=" ? value <= wanted : value >= wanted;
  if (!isMet) missedGoals++;
  const shown = value >= 100 ? value.toFixed(0) : value.toFixed(2);
  console.log(`  ${isMet ? "met   " : "MISSED"} ${name}: ${shown}${unit} (wanted ${sign} ${wanted}${unit})`);
}

export function missed(): number {
  return missedGoals;
}
