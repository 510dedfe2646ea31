import type { Tasks } from "#queue/tasks.ts";
import type { Deps } from "./daily-seal.ts";
import { findDailySeal, updateDailySeal } from "./seal-rows.ts";
import { readStamp } from "./verify/read-stamp.ts";

/** Has a daily seal stamped and stores the verified token. Otherwise stores why, and throws so that it is retried. */
export async function stampDailySeal(
  { db, requestStamp }: Pick<Deps, "db" | "requestStamp">,
  { accountId, day }: Tasks["stamp"],
): Promise<void> {
  const found = await findDailySeal(db, accountId, day);
  if (!found || found.stamp || !requestStamp) return;
  const result = await requestStamp(found.hash);
  const stamp = result.ok ? readStamp(result.token, found.hash.toString("hex")) : undefined;
  if (!result.ok || !stamp || "problem" in stamp || stamp.nonce !== result.nonce) {
    const problem = result.ok ? "The time stamp that the authority sent isn’t valid." : result.problem;
    await updateDailySeal(db, accountId, day, { stamp_problem: problem });
    throw new Error(problem);
  }
  await updateDailySeal(db, accountId, day, {
    stamp: result.token,
    stamped_at: new Date(stamp.at),
    authority: stamp.authority,
    stamp_problem: null,
  });
}
