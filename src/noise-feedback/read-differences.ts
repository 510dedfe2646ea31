import type { Deps } from "#checks/deps.ts";
import { describeChanges } from "#detection/change-summaries/describe-changes.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { canRequestAlerts } from "#detection/verdict/verdict.ts";
import { findVerdict } from "#storage/executions.ts";

/** Differences that a user can give feedback on: alerted ones by id, ignored ones by number. */
export type Differences = {
  reported: { id: string; says: string }[];
  ignored: { number: number; says: string; place: string; said: string | undefined }[];
};

/** Describes the differences that an execution found. The caller must check that the account owns the execution. */
export async function readDifferences({ db }: Pick<Deps, "db">, executionId: string): Promise<Differences> {
  const verdict = (await findVerdict(db, executionId)) as Partial<Verdict> | null;
  const { reasons = [], ignored = [] } = verdict ?? {};
  return {
    reported: reasons
      .flatMap(({ changes }) => changes)
      .flatMap((change) => (change.id ? [{ id: change.id, says: describeChanges([change], 1) }] : [])),
    ignored: ignored
      .map((one, number) => ({ one, number }))
      .filter(({ one }) => canRequestAlerts(one))
      .sort((a, b) => Number(a.one.why === "markup") - Number(b.one.why === "markup"))
      .map(({ one, number }) => ({
        number,
        says: describeChanges([one], 1),
        place: one.place,
        said: one.said,
      })),
  };
}
