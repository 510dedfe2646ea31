import type { Actor } from "#contract/actor.ts";
import { unlearn } from "#detection/noise-memory.ts";
import { changeMemory } from "./change-memory.ts";
import type { Deps } from "./deps.ts";

/** Lets a place alert again, and keeps it from being learned once more. */
export async function unlearnNoise(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  place: string,
): Promise<void> {
  await changeMemory(deps, actor, jobId, (memory, at) => unlearn(memory, place, at));
}
