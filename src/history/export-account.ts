import type { Deps } from "#checks/deps.ts";
import { openHeaders } from "#checks/open-headers.ts";
import type { Actor } from "#contract/actor.ts";
import { listJobsWithGroups } from "#storage/jobs.ts";
import { filesOf } from "./export-history.ts";
import { type ZipEntry, zip } from "./export-zip.ts";

/** Everything of an account as one ZIP, made as it is read: what is watched and how, then each job's history. */
export function exportAccount(deps: Deps, actor: Actor): AsyncIterable<Uint8Array> {
  return zip(entriesOf(deps, actor));
}

async function* entriesOf(deps: Deps, { accountId }: Actor): AsyncGenerator<ZipEntry> {
  const jobs = await listJobsWithGroups(deps.db, accountId);
  const about = {
    watchglass: 1,
    jobs: jobs.map((job) => ({
      name: job.name,
      url: job.url,
      group: job.group_name,
      frequencyMinutes: job.frequency_minutes,
      status: job.status,
      selector: job.selector,
      awaited: job.awaited,
      ignore: job.ignore,
      lookup: job.lookup,
      waitFor: job.wait_for,
      // Secrets stay (D3): of headers the names, of a trigger that there is one.
      headers: openHeaders(deps.secrets, job).map(({ name }) => ({ name })),
      hasTrigger: job.trigger_sealed !== null,
    })),
  };
  const bytes = Buffer.from(JSON.stringify(about, null, 2));
  yield { name: "watchglass.json", bytes, modified: new Date(), compress: true };
  for (const [at, job] of jobs.entries()) {
    const folder = `jobs/${String(at + 1).padStart(4, "0")}-${job.id}`;
    for await (const entry of filesOf(deps, job)) yield { ...entry, name: `${folder}/${entry.name}` };
  }
}
