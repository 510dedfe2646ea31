import type { ExitUse } from "#capture/exit-choice.ts";
import { directExit } from "#contract/setting-shapes.ts";
import { problemsOfOneSite } from "#network/exit.ts";
import { recordExitUse } from "#storage/exits.ts";
import type { Deps } from "./deps.ts";

/** Stores how the exits of a capture did. */
export async function recordExitUses(
  { db }: Pick<Deps, "db">,
  accountId: string,
  uses: readonly ExitUse[] = [],
): Promise<void> {
  for (const { id, problem, ms } of uses)
    if (id !== directExit && problem !== "missing") {
      const isOfOneSite = problem !== null && problemsOfOneSite.includes(problem);
      await recordExitUse(db, accountId, id, { problem, ms, isOfOneSite });
    }
}
