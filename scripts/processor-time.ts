import { readFileSync } from "node:fs";

export type ProcessorTime = { stolen: number; all: number };

/** What all processors did since the system started, in ticks; nothing where the system doesn't say. */
export function readProcessorTime(file = "/proc/stat"): ProcessorTime {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // Only Linux has the file.
  }
  // user, nice, system, idle, iowait, irq, softirq, steal; the guests' time after them is in the first two already.
  const ticks = /^cpu +([\d ]+)$/m.exec(text)?.[1]?.split(" ").slice(0, 8).map(Number) ?? [];
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}

/** The share of the processors' busy or idle time that the machine's host gave to others. */
export function stolenBetween(before: ProcessorTime, after: ProcessorTime): number {
  return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
}
