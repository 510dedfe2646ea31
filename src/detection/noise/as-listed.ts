import type { Recalled } from "../noise-memory.ts";
import type { Ignored, NoiseReason } from "../verdict.ts";

/** What is listed of why a difference is no news. */
export function asListed({
  why,
  since,
  id,
}: Recalled | { why: NoiseReason; since?: undefined; id?: undefined }): Pick<
  Ignored,
  "why" | "since" | "said"
> {
  return { why, ...(since ? { since } : {}), ...(id ? { said: id } : {}) };
}
