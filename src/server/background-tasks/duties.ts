import { sendRecoveryLink } from "#accounts/recover.ts";
import { announce } from "#alerts/announce.ts";
import { closeIncident } from "#alerts/close-incident.ts";
import { deliver } from "#alerts/deliver.ts";
import { editAlert } from "#alerts/edit-alert.ts";
import { runBillingClock } from "#billing/billing-clock.ts";
import { endSubscription } from "#billing/manage-subscription.ts";
import { daily } from "#digests/queue-daily-digests.ts";
import { digest } from "#digests/send-digest.ts";
import { makeDailySeals } from "#evidence/daily-seal.ts";
import { queueOlderSeals, sealOlder } from "#evidence/seal-older.ts";
import { sendDailySeal } from "#evidence/send-daily-seal.ts";
import { stampDailySeal } from "#evidence/stamp-daily-seal.ts";
import { applyIncidentNoise } from "#incidents/incident-noise.ts";
import { deleteDueJobs } from "#jobs/schedule-deletion.ts";
import { sendQueuedMail } from "#mail/send-queued-mail.ts";
import { indexHistory, queueHistoryIndexing } from "#page-index/index-history.ts";
import { shareWidth } from "#queue/share-width.ts";
import { buildReport, giveUpReport } from "#reports/build-report.ts";
import { runSchedules } from "#reports/schedule-report.ts";
import { applyRetention } from "#retention/apply-retention.ts";
import { deleteExpired } from "#retention/delete-expired.ts";
import { forget } from "#retention/delete-leftovers.ts";
import { createScheduleWork } from "#scheduling/schedule-clock.ts";
import { matchSearchAlerts } from "#search-alerts/match-search-alerts.ts";
import { awaitOpinion } from "#second-opinion/await-opinion.ts";
import { formOpinion } from "#second-opinion/form-opinion.ts";
import { summarizeChanges } from "#second-opinion/summarize-changes.ts";
import { applySiteRules } from "#site-rules/apply-rules.ts";
import { startTelegram } from "#telegram-bot/start-telegram-bot.ts";
import { planTrigger } from "#triggers/plan-trigger.ts";
import { runTrigger } from "#triggers/run-trigger.ts";
import { startDemo } from "../demo/start-demo.ts";
import { clock, type Duty, endedByQueue, task } from "./duty.ts";
import { startCaptureWorker } from "./start-capture-worker.ts";

/** Everything that runs besides the answering of calls. */
export const duties: Duty[] = [
  task("recover", 2, ({ accounts }, { sealed }) => sendRecoveryLink(accounts, sealed)),
  task("end-subscription", 1, ({ billing }, { subscriptionId }) => endSubscription(billing, subscriptionId)),
  task(
    "mail",
    { width: 4, isIrrevocable: true },
    ({ mailer, accounts, metrics, logger }, { sealed }, attempt) =>
      sendQueuedMail({ ...accounts, mailer, logger }, sealed, attempt, (result) =>
        metrics.mails.inc({ result }),
      ),
  ),
  { name: "execute", role: "worker", start: startCaptureWorker, outlivesQueue: true },
  task("announce", 4, ({ alerts, triggers, secondOpinion }, task) =>
    announce(alerts, task, {
      planTrigger: (change) => planTrigger(triggers, change),
      awaitOpinion: (change, alongside) => awaitOpinion(secondOpinion, change, alongside),
    }),
  ),
  // These wait for endpoints of accounts; while that of one is slow, others keep half of the slots.
  task("opinion", { width: 8, choose: shareWidth(4) }, ({ secondOpinion }, task) =>
    formOpinion(secondOpinion, task),
  ),
  task("deliver", 12, async ({ alerts, metrics }, task, attempt) => {
    const ms = await deliver(alerts, task, attempt);
    if (ms !== undefined) metrics.stages.observe({ stage: "deliver" }, ms / 1000);
  }),
  task("edit-alert", 2, ({ alerts }, task) => editAlert(alerts, task)),
  task("close-incident", { width: 4, choose: shareWidth(2) }, ({ alerts, secondOpinion }, task) =>
    closeIncident(alerts, task, (accountId, changes) => summarizeChanges(secondOpinion, accountId, changes)),
  ),
  task("incident-noise", 1, ({ jobs }, task) => applyIncidentNoise(jobs, task)),
  task("digest", { width: 4, choose: shareWidth(2) }, ({ alerts, secondOpinion }, task, attempt) =>
    digest(alerts, task, attempt, (accountId, changes) =>
      summarizeChanges(secondOpinion, accountId, changes),
    ),
  ),
  task("daily", 1, ({ alerts }, task) => daily(alerts, task)),
  task("trigger", 8, ({ triggers }, task, attempt) => runTrigger(triggers, task, attempt)),
  task("report", 1, ({ alerts, connectionString, captureStore, makeReport, secondOpinion }, { reportId }) =>
    buildReport({ ...alerts, connectionString, captureStore, makeReport }, reportId, (accountId, changes) =>
      summarizeChanges(secondOpinion, accountId, changes),
    ),
  ),
  {
    name: "report-dead",
    role: "worker",
    async start(app) {
      await app.queue.workDead("report", ({ reportId }) => giveUpReport(app, reportId));
      return endedByQueue;
    },
  },
  task("site-rules", 1, ({ jobs }, task) => applySiteRules(jobs, task)),
  task("join-chain", 1, ({ jobs }, { jobId }) => sealOlder(jobs, jobId)),
  task("index-history", 1, ({ jobs }, { jobId }) => indexHistory(jobs, jobId)),
  task("match-search-alerts", 2, ({ jobs }, task) => matchSearchAlerts(jobs, task)),
  task("stamp", 2, ({ evidence }, task) => stampDailySeal(evidence, task)),
  task("anchor", 2, ({ evidence }, task) => sendDailySeal(evidence, task)),
  task("forget", 1, ({ jobs }, task) => forget(jobs, task)),
  clock("schedule", 1_000, "the schedule has stopped", createScheduleWork()),
  clock("retention", 15 * 60_000, "old history was not removed", ({ jobs }) => applyRetention(jobs)),
  clock("deletions", 30_000, "deleted jobs are still there", ({ jobs }) => deleteDueJobs(jobs)),
  clock("evidence", 5 * 60_000, "daily seals and scheduled reports are late", async ({ evidence }) => {
    await queueOlderSeals(evidence);
    await makeDailySeals(evidence);
    await runSchedules(evidence);
  }),
  clock("page-index", 60_000, "older executions can’t be searched", ({ jobs }) => queueHistoryIndexing(jobs)),
  clock("billing", 10 * 60_000, "the billing clock has stopped", ({ billing }) => runBillingClock(billing)),
  clock("housekeeping", 10 * 60_000, "housekeeping failed", ({ db }) => deleteExpired(db)),
  { name: "demo", role: "api", start: startDemo },
  { name: "telegram", role: "api", start: async (app) => startTelegram(app) },
];
