import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { type SecretName, secretNames } from "#contract/job-settings.ts";
import { listDailySeals } from "#evidence/seal-rows.ts";
import { openGroupHeaders } from "#group-defaults/inherit.ts";
import { showGroupDefaults } from "#jobs/show-settings.ts";
import { archiveSearchAlert } from "#search-alerts/archive-search-alert.ts";
import { archiveSiteRules } from "#site-rules/archive-site-rules.ts";
import { findAccount } from "#storage/accounts.ts";
import { listApiKeys } from "#storage/api-keys.ts";
import { listChannels } from "#storage/channels.ts";
import { listPaces } from "#storage/delivery-schedules.ts";
import { listFeedAddresses } from "#storage/feed-addresses.ts";
import { listGroupRows } from "#storage/groups.ts";
import { readSettings } from "#storage/job-settings.ts";
import { findMemory, type JobWithGroup, listJobsWithGroups } from "#storage/jobs.ts";
import { findOpinionEndpoint } from "#storage/opinions.ts";
import { listScheduleRows } from "#storage/reports.ts";
import { listSavedViews } from "#storage/saved-views.ts";
import { listSearchAlerts } from "#storage/search-alerts.ts";
import { listTemplates } from "#storage/templates.ts";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import { listExportFiles } from "../export-history.ts";
import { noiseFile } from "./read-archived-history.ts";

/** Exports everything of an account as one ZIP stream: the settings first, then each job's history. */
export function exportAccount(deps: Deps, actor: Actor): AsyncIterable<Uint8Array> {
  return zip(entriesOf(deps, actor));
}

async function* entriesOf(deps: Deps, { accountId }: Actor): AsyncGenerator<ZipEntry> {
  const { db } = deps;
  const [
    account,
    groups,
    jobs,
    channels,
    paces,
    templates,
    keys,
    feeds,
    schedules,
    endpoint,
    views,
    searchAlerts,
  ] = await Promise.all([
    findAccount(db, accountId),
    listGroupRows(db, accountId),
    listJobsWithGroups(db, accountId),
    listChannels(db, accountId),
    listPaces(db, accountId),
    listTemplates(db, accountId),
    listApiKeys(db, accountId),
    listFeedAddresses(db, accountId),
    listScheduleRows(db, accountId),
    findOpinionEndpoint(db, accountId),
    listSavedViews(db, accountId),
    listSearchAlerts(db, accountId),
  ]);
  const folders = jobs.map((job, at) => `jobs/${String(at + 1).padStart(4, "0")}-${job.id}`);
  const about = {
    watchglass: 1,
    account: account && { firstname: account.firstname, surname: account.surname, email: account.email },
    // Addresses are secrets (D3), so only the kinds of the channels are exported.
    channels: channels.filter(({ kind }) => kind !== "trigger").map(({ kind }) => kind),
    // What the user has to create again: it depends on a secret, or on the ids of jobs in this account.
    again: [
      ...keys.map(({ name }) => `the API key ${name}`),
      ...count(feeds.length, "feed address", "feed addresses"),
      ...count(schedules.length, "schedule of reports", "schedules of reports"),
      ...(endpoint ? [`the model ${endpoint.model} for second opinions`] : []),
    ],
    paces,
    templates,
    savedViews: views.map(({ name, query }) => ({ name, query })),
    searchAlerts: searchAlerts.map((alert) => archiveSearchAlert(alert, groups)),
    siteRules: await archiveSiteRules(db, accountId, jobs, groups),
    groups: groups.map(({ id, name, handed, headers_sealed, timetable }) => {
      const row = {
        handed,
        group_id: id,
        group_headers_sealed: headers_sealed,
        // Only the steps that use them name secrets.
        group_step_secrets_sealed: null,
        group_timetable: timetable,
      };
      const headers = openGroupHeaders(deps.secrets, row).map((header) => ({ name: header.name }));
      return { name, settings: { ...showGroupDefaults(deps.secrets, row), headers } };
    }),
    jobs: jobs.map((job, at) => describe(deps, job, folders[at] ?? "")),
  };
  const bytes = Buffer.from(JSON.stringify(about, null, 2));
  const [newest] = await listDailySeals(db, accountId, 1);
  // Without a day, none that comes while the archive is made.
  const lastDay = newest?.day ?? "0000-00-00";
  yield { name: "watchglass.json", bytes, modified: new Date(), compress: true };
  for (const [at, job] of jobs.entries()) {
    for await (const entry of listExportFiles(deps, job, lastDay))
      yield { ...entry, name: `${folders[at]}/${entry.name}` };
    const { memory } = await findMemory(db, job.id);
    const noise = Buffer.from(JSON.stringify(memory));
    if (memory)
      yield { name: `${folders[at]}/${noiseFile}`, bytes: noise, modified: new Date(), compress: true };
  }
}

const count = (many: number, one: string, more: string) =>
  many === 0 ? [] : [many === 1 ? `a ${one}` : `${many} ${more}`];

function describe(deps: Deps, job: JobWithGroup, folder: string) {
  const settings = readSettings(deps.secrets, job);
  const plain = Object.entries(settings).filter(([name]) => !secretNames.includes(name as SecretName));
  return {
    name: job.name,
    url: job.url,
    group: job.group_name,
    frequencyMinutes: job.frequency_minutes,
    status: job.status,
    createdAt: job.created_at.toISOString(),
    ...Object.fromEntries(plain),
    // Secrets are not exported (D3): only the names of headers, and whether there is a trigger.
    headers: settings.headers.map(({ name }) => ({ name })),
    hasTrigger: settings.trigger !== null,
    /** Where the job's history is, and which execution the next one is compared with. */
    folder,
    baseline: job.baseline_id,
  };
}
