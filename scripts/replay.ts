// Compares the results of today's detector for a stored history with the recorded ones; changes nothing.
//   npm run replay -- --account EMAIL [--job ID]
import { parseArgs } from "node:util";
import { comparedSettings } from "#group-defaults/inherit.ts";
import { replay } from "#history/test-on-history/replay.ts";
import { planById } from "#plans/plans.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/observability/logger.ts";
import { compose } from "#server/startup/compose.ts";
import { findAccountByEmail } from "#storage/accounts.ts";
import { findRunningPostgres } from "#storage/embedded-postgres.ts";
import { listExecutionsBetween } from "#storage/executions.ts";
import { findJob, jobIdsOf } from "#storage/jobs.ts";

const { account: email, job: only } = parseArgs({
  options: { account: { type: "string" }, job: { type: "string" } },
}).values;
if (!email) {
  console.error("npm run replay -- --account EMAIL [--job ID]");
  process.exit(2);
}
const config = readConfig(process.env);
const databaseUrl = config.databaseUrl ?? (await findRunningPostgres(config.dataDir));
if (!databaseUrl) {
  console.error("Start Watchglass first, or set DATABASE_URL.");
  process.exit(1);
}
const app = await compose({ ...config, databaseUrl }, createLogger("warn"));
let isThere = true;
try {
  const account = await findAccountByEmail(app.db, email);
  if (account) await printReplay(account.id, planById(account.plan_id).textLookup);
  else {
    console.error(`There is no account with the email address ${email}.`);
    isThere = false;
  }
} finally {
  await app.close();
}
process.exit(isThere ? 0 : 1);

async function printReplay(accountId: string, mayLookUp: boolean): Promise<void> {
  let [checks, was, now] = [0, 0, 0];
  for (const id of await jobIdsOf(app.db, accountId)) {
    const job = only && only !== id ? undefined : await findJob(app.db, accountId, id);
    if (!job) continue;
    const { rows } = await listExecutionsBetween(app.db, { accountId, jobId: id }, Number.MAX_SAFE_INTEGER);
    const settings = { ...comparedSettings(job), lookup: mayLookUp ? job.lookup : null };
    const counts = { was: 0, now: 0 };
    console.log(`\n${job.name}  ${job.url}`);
    for await (const batch of replay(app.jobs, job, settings, rows, { isDetectorTried: true })) {
      for (const row of batch) {
        if (row.was.state === "alert") counts.was++;
        if (row.now.state === "alert") counts.now++;
        if (row.was.state === row.now.state) continue;
        const { number, created_at } = row.execution;
        console.log(`  #${number} ${created_at.toISOString()}`);
        console.log(`    then ${row.was.state}: ${row.was.summary}`);
        console.log(`    now  ${row.now.state}: ${row.now.summary}`);
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
