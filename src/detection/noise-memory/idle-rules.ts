import { hash } from "./hash.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import { own } from "./record.ts";

// After this many checks in a row without a match, the user is told: pages change, and rules are left behind.
export const idleAfterChecks = 5;

/** Counts for each ignore rule at how many checks in a row it matched nothing; rules that matched start anew. */
export function countIdleRules(memory: NoiseMemory, idle: string[]): NoiseMemory {
  const counts = idle.map((entry) => [hash(entry), (own(memory.idleRules, hash(entry)) ?? 0) + 1]);
  return { ...memory, idleRules: Object.fromEntries(counts) };
}

/** The same for a page that is as it was: what matched nothing on it still doesn't. */
export function countIdleAgain(memory: NoiseMemory): NoiseMemory {
  const counts = Object.entries(memory.idleRules).map(([key, count]) => [key, count + 1]);
  return { ...memory, idleRules: Object.fromEntries(counts) };
}

/** The ignore rules that matched nothing at the last five checks or more. */
export function listIdleRules({ idleRules }: NoiseMemory, ignore: string[]): string[] {
  return ignore.filter((entry) => (own(idleRules, hash(entry)) ?? 0) >= idleAfterChecks);
}
