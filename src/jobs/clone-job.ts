import { openHeaders } from "#checks/open-headers.ts";
import { openPageRequest } from "#checks/open-request.ts";
import type { Actor } from "#contract/actor.ts";
import { listJobs } from "#storage/jobs.ts";
import { createJob } from "./create-job.ts";
import type { Deps } from "./deps.ts";
import { ownJob } from "./read-job.ts";
import { openTrigger } from "./rules.ts";

const longestName = 120;

/** Watches the page of a job once more, with all its settings and secrets, beside it; the history is not copied. */
export async function cloneJob(deps: Deps, actor: Actor, id: string): Promise<string> {
  const job = await ownJob(deps, actor, id);
  const names = new Set((await listJobs(deps.db, actor.accountId, job.group_id)).map(({ name }) => name));
  return createJob(deps, actor, {
    name: freeName(job.name, names),
    url: job.url,
    frequency: job.frequency_minutes,
    groupId: job.group_id,
    headers: openHeaders(deps.secrets, job),
    trigger: openTrigger(deps.secrets, job),
    request: openPageRequest(deps.secrets, job),
    lookup: job.lookup,
    selector: job.selector,
    awaited: job.awaited,
    waitFor: job.wait_for,
    ignore: job.ignore,
    schedule: job.timetable,
    tellFailures: job.tell_failures,
    channels: job.channels,
    alertIf: job.alert_if,
    values: job.follow,
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let at = 1; ; at++) {
    const end = at === 1 ? " copy" : ` copy ${at}`;
    const wanted = `${[...name].slice(0, longestName - end.length).join("")}${end}`;
    if (!taken.has(wanted)) return wanted;
  }
}
