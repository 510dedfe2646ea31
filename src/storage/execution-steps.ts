import type { StepRun } from "#contract/page-steps.ts";
import type { Database } from "./database.ts";
import type { StoredStep } from "./job-tables.ts";

/** The hashes of the pictures of steps. */
export const picturesOf = (steps: readonly StoredStep[] | null | undefined): Buffer[] =>
  (steps ?? []).flatMap(({ picture }) => (picture === null ? [] : [Buffer.from(picture, "hex")]));

/** Stores what the steps before an execution's capture did; the pictures must be referred to besides. */
export async function insertExecutionSteps(
  db: Database,
  accountId: string,
  executions: { id: string; steps: StoredStep[] }[],
): Promise<void> {
  if (executions.length === 0) return;
  const rows = executions.map(({ id, steps }) => ({
    execution_id: id,
    account_id: accountId,
    steps: JSON.stringify(steps),
  }));
  await db.insertInto("execution_steps").values(rows).execute();
}

export async function findExecutionSteps(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<StoredStep[]> {
  const row = await db
    .selectFrom("execution_steps")
    .select("steps")
    .where("account_id", "=", accountId)
    .where("execution_id", "=", executionId)
    .executeTakeFirst();
  return row?.steps ?? [];
}

export const showStep = ({ picture, ...step }: StoredStep): StepRun => ({
  ...step,
  hasPicture: picture !== null,
});
