import { readStamp } from "#checks/verify.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findDay, updateDay } from "#storage/seals.ts";
import type { Deps } from "./close-days.ts";

/** Has a day's head stamped and keeps the token once it holds; a day without one says why, and is tried again. */
export async function stampDay(
  { db, requestStamp }: Pick<Deps, "db" | "requestStamp">,
  { accountId, day }: Tasks["stamp"],
): Promise<void> {
  const found = await findDay(db, accountId, day);
  if (!found || found.stamp || !requestStamp) return;
  const result = await requestStamp(found.hash);
  const stamp = result.ok ? readStamp(result.token, found.hash.toString("hex")) : undefined;
  if (!result.ok || !stamp || "problem" in stamp || stamp.nonce !== result.nonce) {
    const problem = result.ok ? "What the stamp authority answered does not hold." : result.problem;
    await updateDay(db, accountId, day, { stamp_problem: problem });
    throw new Error(problem);
  }
  await updateDay(db, accountId, day, {
    stamp: result.token,
    stamped_at: new Date(stamp.at),
    authority: stamp.authority,
    stamp_problem: null,
  });
}
