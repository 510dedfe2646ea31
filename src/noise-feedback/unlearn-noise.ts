import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { unlearn } from "#detection/noise-memory/noise-memory.ts";
import { changeMemory } from "./change-memory.ts";

/** Lets a location alert again, and prevents it from being learned as noise again. */
export async function unlearnNoise(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  place: string,
): Promise<void> {
  await changeMemory(deps, actor, jobId, (memory, at) => unlearn(memory, place, at));
}
