import { ensureDemoAccount } from "#accounts/demo.ts";
import { runJob } from "#checks/run-job.ts";
import { createJob } from "#jobs/create-job.ts";
import { createGroup } from "#jobs/groups.ts";
import { updateJob } from "#jobs/update-job.ts";
import { listGroups } from "#storage/groups.ts";
import { listJobs } from "#storage/jobs.ts";
import type { App } from "../app.ts";
import { demoPages } from "./pages.ts";
import { startDemoSite } from "./site.ts";

const STEP_MS = 120_000;

/** Starts a site that changes by itself, page after page, and an account that watches it. Returns how to stop both. */
export async function startDemo(app: App): Promise<() => Promise<void>> {
  const port = app.config.demoPort;
  if (port === null) return async () => undefined;
  const step = () => Math.floor(Date.now() / STEP_MS);
  const closeSite = await startDemoSite(port, (page) => Math.floor((step() - page) / demoPages.length));
  const accountId = await ensureDemoAccount(app.accounts);
  app.demoAccountId = accountId;
  const jobIds = await ensureJobs(app, accountId, port);

  let timer: NodeJS.Timeout;
  const wait = () => {
    // One second after the change, so that the check sees it.
    timer = setTimeout(() => void check(), STEP_MS - (Date.now() % STEP_MS) + 1_000);
  };
  const check = async () => {
    const jobId = jobIds[step() % demoPages.length];
    if (jobId)
      await runJob(app.jobs, { accountId }, jobId).catch((error: unknown) =>
        app.logger.warn({ err: error }, "a demo check could not be queued"),
      );
    wait();
  };
  wait();
  return async () => {
    clearTimeout(timer);
    await closeSite();
  };
}

/** Ensures one job per page, in the order of the pages. Updates the URL of a job if the site's port has changed. */
async function ensureJobs(app: App, accountId: string, port: number): Promise<string[]> {
  const actor = { accountId };
  const [group] = await listGroups(app.db, accountId);
  const groupId = group?.id ?? (await createGroup(app.jobs, actor, "Halden Outdoor")).id;
  const jobs = await listJobs(app.db, accountId, groupId);
  const ids: string[] = [];
  for (const { name, path } of demoPages) {
    const url = `http://127.0.0.1:${port}${path}`;
    const job = jobs.find((candidate) => candidate.name === name);
    if (job && job.url !== url) await updateJob(app.jobs, actor, job.id, { url });
    ids.push(job?.id ?? (await createJob(app.jobs, actor, { name, url, frequency: 30, groupId })));
  }
  return ids;
}
