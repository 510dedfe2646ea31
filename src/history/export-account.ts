import type { Deps } from "#checks/deps.ts";
import { openGroupHeaders } from "#checks/inherit.ts";
import type { Actor } from "#contract/actor.ts";
import { showHanded, showRules } from "#jobs/rules.ts";
import { findAccount } from "#storage/accounts.ts";
import { listApiKeys } from "#storage/api-keys.ts";
import { listChannels } from "#storage/channels.ts";
import { listFeedAddresses } from "#storage/feed-addresses.ts";
import { listGroupRows } from "#storage/groups.ts";
import { findMemory, type JobWithGroup, listJobsWithGroups } from "#storage/jobs.ts";
import { listPaces } from "#storage/paces.ts";
import { listScheduleRows } from "#storage/reports.ts";
import { listTemplates } from "#storage/templates.ts";
import { filesOf } from "./export-history.ts";
import { type ZipEntry, zip } from "./export-zip.ts";
import { noiseFile } from "./importing/read-past.ts";

/** Everything of an account as one ZIP, made as it is read: what is watched and how, then each job's history. */
export function exportAccount(deps: Deps, actor: Actor): AsyncIterable<Uint8Array> {
  return zip(entriesOf(deps, actor));
}

async function* entriesOf(deps: Deps, { accountId }: Actor): AsyncGenerator<ZipEntry> {
  const { db } = deps;
  const [account, groups, jobs, channels, paces, templates, keys, feeds, schedules] = await Promise.all([
    findAccount(db, accountId),
    listGroupRows(db, accountId),
    listJobsWithGroups(db, accountId),
    listChannels(db, accountId),
    listPaces(db, accountId),
    listTemplates(db, accountId),
    listApiKeys(db, accountId),
    listFeedAddresses(db, accountId),
    listScheduleRows(db, accountId),
  ]);
  const folders = jobs.map((job, at) => `jobs/${String(at + 1).padStart(4, "0")}-${job.id}`);
  const about = {
    watchglass: 1,
    account: account && { firstname: account.firstname, surname: account.surname, email: account.email },
    // Addresses are secrets (D3): which channels there were is said.
    channels: channels.filter(({ kind }) => kind !== "trigger").map(({ kind }) => kind),
    // What is known by its secret, or belongs to jobs by their ids here.
    again: [
      ...keys.map(({ name }) => `the API key ${name}`),
      ...count(feeds.length, "feed address", "feed addresses"),
      ...count(schedules.length, "schedule of reports", "schedules of reports"),
    ],
    paces,
    templates,
    groups: groups.map(({ id, name, handed, headers_sealed, timetable }) => {
      const row = { handed, group_id: id, group_headers_sealed: headers_sealed, group_timetable: timetable };
      const headers = openGroupHeaders(deps.secrets, row).map((header) => ({ name: header.name }));
      return { name, settings: { ...showHanded(deps.secrets, row), headers } };
    }),
    jobs: jobs.map((job, at) => describe(deps, job, folders[at] ?? "")),
  };
  const bytes = Buffer.from(JSON.stringify(about, null, 2));
  yield { name: "watchglass.json", bytes, modified: new Date(), compress: true };
  for (const [at, job] of jobs.entries()) {
    for await (const entry of filesOf(deps, job)) yield { ...entry, name: `${folders[at]}/${entry.name}` };
    const { memory } = await findMemory(db, job.id);
    const noise = Buffer.from(JSON.stringify(memory));
    if (memory)
      yield { name: `${folders[at]}/${noiseFile}`, bytes: noise, modified: new Date(), compress: true };
  }
}

const count = (many: number, one: string, more: string) =>
  many === 0 ? [] : [many === 1 ? `a ${one}` : `${many} ${more}`];

function describe(deps: Deps, job: JobWithGroup, folder: string) {
  const { headers, trigger, inherited: _, ...rules } = showRules(deps.secrets, job);
  return {
    name: job.name,
    url: job.url,
    group: job.group_name,
    frequencyMinutes: job.frequency_minutes,
    status: job.status,
    createdAt: job.created_at.toISOString(),
    ...rules,
    // Secrets stay (D3): of headers the names, of a trigger that there is one.
    headers: headers.map(({ name }) => ({ name })),
    hasTrigger: trigger !== null,
    /** Where its history is, and with which execution the next one is compared. */
    folder,
    baseline: job.baseline_id,
  };
}
