import type { Deps } from "#checks/deps.ts";
import { canTell } from "#detection/can-tell.ts";
import { sayChanges } from "#detection/say-change.ts";
import type { Verdict } from "#detection/verdict.ts";
import { findVerdict } from "#storage/executions.ts";

/** What a user can speak of: what was told, by name, and what was ignored, by its number. */
export type Differences = {
  told: { id: string; says: string }[];
  ignored: { number: number; says: string; place: string; said: string | undefined }[];
};

/** The differences that an execution found, in words. Only of one that the caller has seen to be the account's. */
export async function readDifferences({ db }: Pick<Deps, "db">, executionId: string): Promise<Differences> {
  const verdict = (await findVerdict(db, executionId)) as Partial<Verdict> | null;
  const { reasons = [], ignored = [] } = verdict ?? {};
  return {
    told: reasons
      .flatMap(({ changes }) => changes)
      .flatMap((change) => (change.id ? [{ id: change.id, says: sayChanges([change], 1) }] : [])),
    ignored: ignored
      .map((one, number) => ({ one, number }))
      .filter(({ one }) => canTell(one))
      .sort((a, b) => Number(a.one.why === "markup") - Number(b.one.why === "markup"))
      .map(({ one, number }) => ({
        number,
        says: sayChanges([one], 1),
        place: one.place,
        said: one.said,
      })),
  };
}
