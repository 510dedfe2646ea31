import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { takeBack as takeBackFrom } from "#detection/noise-memory/noise-memory.ts";
import { changeMemory } from "./change-memory.ts";

/** Withdraws a user's feedback on one difference, by its id, or on a location. */
export async function takeBack(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  target: { id?: string; place?: string },
): Promise<void> {
  await changeMemory(deps, actor, jobId, (memory) => takeBackFrom(memory, target));
}
