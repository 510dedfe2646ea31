// What today's detector would say of a stored history, beside what was said then; nothing is changed by it.
//   npm run replay -- --account EMAIL [--job ID]
import { parseArgs } from "node:util";
import { alertIfOf, rulesOf } from "#checks/inherit.ts";
import { planById } from "#contract/plans.ts";
import { replay } from "#history/replay.ts";
import { compose } from "#server/compose.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/logger.ts";
import { findAccountByEmail } from "#storage/accounts.ts";
import { runningPostgres } from "#storage/embedded-postgres.ts";
import { listStretch } from "#storage/executions.ts";
import { findJob, jobIdsOf } from "#storage/jobs.ts";

const { account: email, job: only } = parseArgs({
  options: { account: { type: "string" }, job: { type: "string" } },
}).values;
if (!email) {
  console.error("npm run replay -- --account EMAIL [--job ID]");
  process.exit(2);
}
const config = readConfig(process.env);
const databaseUrl = config.databaseUrl ?? (await runningPostgres(config.dataDir));
if (!databaseUrl) {
  console.error("Start Watchglass first, or set DATABASE_URL.");
  process.exit(1);
}
const app = await compose({ ...config, databaseUrl }, createLogger("warn"));
let isThere = true;
try {
  const account = await findAccountByEmail(app.db, email);
  if (account) await tellAll(account.id, planById(account.plan_id).textLookup);
  else {
    console.error(`There is no account of ${email}.`);
    isThere = false;
  }
} finally {
  await app.close();
}
process.exit(isThere ? 0 : 1);

async function tellAll(accountId: string, mayLookUp: boolean): Promise<void> {
  let [checks, was, now] = [0, 0, 0];
  for (const id of await jobIdsOf(app.db, accountId)) {
    const job = only && only !== id ? undefined : await findJob(app.db, accountId, id);
    if (!job) continue;
    const { rows } = await listStretch(app.db, { accountId, jobId: id }, Number.MAX_SAFE_INTEGER);
    const { awaited, follow } = job;
    const lookup = mayLookUp ? job.lookup : null;
    const settings = { ...rulesOf(job), awaited, lookup, follow, alertIf: alertIfOf(job) };
    const counts = { was: 0, now: 0 };
    console.log(`\n${job.name}  ${job.url}`);
    for await (const found of replay(app.jobs, job, settings, rows, { isDetectorTried: true })) {
      for (const one of found) {
        if (one.was.state === "alert") counts.was++;
        if (one.now.state === "alert") counts.now++;
        if (one.was.state === one.now.state) continue;
        const { number, created_at } = one.execution;
        console.log(`  #${number} ${created_at.toISOString()}`);
        console.log(`    then ${one.was.state}: ${one.was.summary}`);
        console.log(`    now  ${one.now.state}: ${one.now.summary}`);
      }
    }
    console.log(
      `  ${counts.now} ${counts.now === 1 ? "alert" : "alerts"} instead of ${counts.was} at ${rows.length} checks`,
    );
    checks += rows.length;
    was += counts.was;
    now += counts.now;
  }
  console.log(`\nIn all ${now} ${now === 1 ? "alert" : "alerts"} instead of ${was} at ${checks} checks.`);
}
