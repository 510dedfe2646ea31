import type { Actor } from "#contract/actor.ts";
import { takeBack as takeBackFrom } from "#detection/noise-memory.ts";
import { changeMemory } from "./change-memory.ts";
import type { Deps } from "./deps.ts";

/** Takes back what a user said: of one difference by its name, or of a place. */
export async function takeBack(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  what: { id?: string; place?: string },
): Promise<void> {
  await changeMemory(deps, actor, jobId, (memory) => takeBackFrom(memory, what));
}
