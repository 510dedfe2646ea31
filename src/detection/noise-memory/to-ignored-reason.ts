import type { Ignored, NoiseReason } from "../verdict/verdict.ts";
import { type NoiseExplanation } from "./noise-memory.ts";

/** The fields of an ignored entry that say why a difference is noise. */
export function toIgnoredReason({
  why,
  since,
  id,
}: NoiseExplanation | { why: NoiseReason; since?: undefined; id?: undefined }): Pick<
  Ignored,
  "why" | "since" | "said"
> {
  return { why, ...(since ? { since } : {}), ...(id ? { said: id } : {}) };
}
