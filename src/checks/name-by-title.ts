import { findFreeName, nameFromTitle, nameFromUrl } from "#contract/job-name.ts";
import { emitEvents } from "#live-events/events.ts";
import type { Database } from "#storage/database.ts";
import { findJobToRun, type JobRow, listNamesLike, updateJobRow } from "#storage/jobs.ts";
import { type CheckResult, isBaseline, snapshotOf } from "./check-result.ts";

/** Names a job that was created without a name by the title of its first good capture, unless the user named it since. */
export async function nameByTitle(db: Database, checked: JobRow, result: CheckResult): Promise<void> {
  const snapshot = snapshotOf(result);
  if (!checked.awaits_title || !snapshot || !isBaseline(result) || snapshot.status >= 400) return;
  const title = nameFromTitle(snapshot.title);
  await db.transaction().execute(async (tx) => {
    const job = await findJobToRun(tx, checked.id, true);
    if (!job?.awaits_title || job.target_version !== checked.target_version) return;
    const name = title && (await chooseName(tx, job, title));
    await updateJobRow(tx, job.id, { awaits_title: false, ...(name && { name }) });
    if (name) await emitEvents(tx, job.account_id, [{ kind: "listed" }]);
  });
}

/** Pages of a site often have the same title: the second one's name contains its URL, too. */
async function chooseName(tx: Database, job: JobRow, title: string): Promise<string> {
  const taken = await listNamesLike(tx, job.account_id, job.group_id, title.slice(0, 40));
  const isTaken = (name: string) => name !== job.name && taken.has(name);
  if (!isTaken(title)) return title;
  return findFreeName(title, isTaken, ` (${nameFromUrl(job.url).slice(0, 60)})`);
}
