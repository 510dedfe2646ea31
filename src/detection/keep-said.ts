import { type NoiseMemory, openMemory } from "./noise-memory.ts";

/** A memory as a check leaves it, with what its user said while the check was running. */
export function keepSaid(learned: NoiseMemory, said: Partial<NoiseMemory> | null): NoiseMemory {
  const { answers, kept } = openMemory(said);
  return { ...learned, answers, kept };
}
