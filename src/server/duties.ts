import { sendRecoveryLink } from "#accounts/recover.ts";
import { openMail } from "#accounts/send-mail.ts";
import { announce } from "#alerts/announce.ts";
import { daily } from "#alerts/daily.ts";
import { deliver } from "#alerts/deliver.ts";
import { digest } from "#alerts/digest.ts";
import { runTrigger } from "#alerts/run-trigger.ts";
import { runBillingClock } from "#billing/billing-clock.ts";
import { endSubscription } from "#billing/manage-subscription.ts";
import { type DuePass, enqueueDue } from "#checks/enqueue-due.ts";
import { forget } from "#checks/forget.ts";
import { joinChain, joinChains } from "#checks/join-chain.ts";
import { retain } from "#checks/retain.ts";
import { plans } from "#contract/plans.ts";
import type { Attempt } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { buildReport, giveUpReport } from "#reports/build-report.ts";
import { closeDays } from "#reports/close-days.ts";
import { runSchedules } from "#reports/schedule-report.ts";
import { stampDay } from "#reports/stamp-day.ts";
import { deleteExpiredTokens } from "#storage/account-tokens.ts";
import { deleteOldAuditEntries } from "#storage/audit.ts";
import { deleteOldNotifications } from "#storage/notifications.ts";
import { deleteOldTurns } from "#storage/open-pace.ts";
import { deleteExpiredLimits } from "#storage/rate-limits.ts";
import { msToDue, noteTick } from "#storage/schedule.ts";
import { deleteExpiredSessions } from "#storage/sessions.ts";
import type { App } from "./app.ts";
import { startCapturing } from "./capturing.ts";
import { startDemo } from "./demo.ts";
import { clock, type Duty, endedByQueue, task } from "./duty.ts";
import { startTelegram } from "./telegram.ts";

const claimed = 500;
const notedEveryMs = 10_000;

/** All that runs besides the answering of calls. */
export const duties: Duty[] = [
  task("recover", 2, ({ accounts }, { sealed }) => sendRecoveryLink(accounts, sealed)),
  task("end-subscription", 1, ({ billing }, { subscriptionId }) => endSubscription(billing, subscriptionId)),
  task("mail", 4, sendSealed),
  { name: "execute", role: "worker", start: startCapturing, outlivesQueue: true },
  task("announce", 4, ({ alerts }, task) => announce(alerts, task)),
  task("deliver", 12, async ({ alerts, metrics }, task, attempt) => {
    const ms = await deliver(alerts, task, attempt);
    if (ms !== undefined) metrics.stages.observe({ stage: "deliver" }, ms / 1000);
  }),
  task("digest", 2, ({ alerts }, task, attempt) => digest(alerts, task, attempt)),
  task("daily", 1, ({ alerts }, task) => daily(alerts, task)),
  task("trigger", 8, ({ alerts }, task, attempt) => runTrigger(alerts, task, attempt)),
  task("report", 1, ({ alerts }, { reportId }) => buildReport(alerts, reportId)),
  {
    name: "report-dead",
    role: "worker",
    async start(app) {
      await app.queue.workDead("report", ({ reportId }) => giveUpReport(app, reportId));
      return endedByQueue;
    },
  },
  task("join-chain", 1, ({ jobs }, { jobId }) => joinChain(jobs, jobId)),
  task("stamp", 2, ({ evidence }, task) => stampDay(evidence, task)),
  task("forget", 1, ({ jobs }, task) => forget(jobs, task)),
  clock("schedule", 1_000, "the schedule stands still", schedule()),
  clock("retention", 15 * 60_000, "old history was not removed", ({ jobs }) => retain(jobs)),
  clock("evidence", 5 * 60_000, "heads of days and scheduled reports are late", async ({ evidence }) => {
    await joinChains(evidence);
    await closeDays(evidence);
    await runSchedules(evidence);
  }),
  clock("billing", 10 * 60_000, "the billing clock stands still", ({ billing }) => runBillingClock(billing)),
  clock("housekeeping", 10 * 60_000, "housekeeping failed", async ({ db }) => {
    await deleteExpiredSessions(db);
    await deleteExpiredTokens(db);
    await deleteExpiredLimits(db);
    await deleteOldTurns(db);
    await deleteOldAuditEntries(db);
    for (const { id, retentionDays } of plans) await deleteOldNotifications(db, id, retentionDays);
  }),
  { name: "demo", role: "api", start: startDemo },
  { name: "telegram", role: "api", start: async (app) => startTelegram(app) },
];

/** Finds what is due; answers when to look again. Between two jobs it asks one small question a second. */
function schedule() {
  let notedAt = Number.NEGATIVE_INFINITY;
  return async ({ db, jobs }: App, signal: AbortSignal): Promise<number | undefined> => {
    if (performance.now() - notedAt > notedEveryMs) {
      await noteTick(db);
      notedAt = performance.now();
    }
    const pass: DuePass = { from: null };
    const ms = await msToDue(db);
    if (ms === undefined || ms > 0) return ms;
    while (!signal.aborted && (await enqueueDue(jobs, claimed, pass)) === claimed);
    return msToDue(db, "later");
  };
}

async function sendSealed(app: App, { sealed }: Tasks["mail"], { id }: Attempt): Promise<void> {
  const result = await app.mailer.send(openMail(app.accounts.secrets, sealed));
  app.metrics.mails.inc({ result: result.ok ? "sent" : "failed" });
  if (result.ok) return;
  const { transient, message } = result.failure;
  app.logger.warn(
    { task: id, reason: message },
    transient ? "a mail is delayed" : "a mail was refused for good",
  );
  if (transient) throw new Error("the mail server did not take the mail");
}
