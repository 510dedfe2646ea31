import { sendRecoveryLink } from "#accounts/recover.ts";
import { openMail } from "#accounts/send-mail.ts";
import { announce } from "#alerts/announce.ts";
import { daily } from "#alerts/daily.ts";
import { deliver } from "#alerts/deliver.ts";
import { digest } from "#alerts/digest.ts";
import { runTrigger } from "#alerts/run-trigger.ts";
import { runBillingClock } from "#billing/billing-clock.ts";
import { endSubscription } from "#billing/manage-subscription.ts";
import { enqueueDue } from "#checks/enqueue-due.ts";
import { forget } from "#checks/forget.ts";
import { retain } from "#checks/retain.ts";
import { plans } from "#contract/plans.ts";
import type { Attempt } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { buildReport, giveUpReport } from "#reports/build-report.ts";
import { deleteExpiredTokens } from "#storage/account-tokens.ts";
import { deleteOldNotifications } from "#storage/notifications.ts";
import { deleteOldTurns } from "#storage/open-pace.ts";
import { deleteExpiredLimits } from "#storage/rate-limits.ts";
import { msToNextDue, noteTick } from "#storage/schedule.ts";
import { deleteExpiredSessions } from "#storage/sessions.ts";
import type { App } from "./app.ts";
import { startCapturing } from "./capturing.ts";
import { startDemo } from "./demo.ts";
import { clock, type Duty, endedByQueue, task } from "./duty.ts";
import { startTelegram } from "./telegram.ts";

const claimed = 500;

/** All that runs besides the answering of calls. */
export const duties: Duty[] = [
  task("recover", 2, ({ accounts }, { sealed }) => sendRecoveryLink(accounts, sealed)),
  task("end-subscription", 1, ({ billing }, { subscriptionId }) => endSubscription(billing, subscriptionId)),
  task("mail", 4, sendSealed),
  { name: "execute", role: "worker", start: startCapturing, outlivesQueue: true },
  task("announce", 4, ({ alerts }, task) => announce(alerts, task)),
  task("deliver", 12, ({ alerts }, task, attempt) => deliver(alerts, task, attempt)),
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
  task("forget", 1, ({ jobs }, task) => forget(jobs, task)),
  clock("schedule", 1_000, "the schedule stands still", async ({ db, jobs }, signal) => {
    await noteTick(db);
    const pass = { from: null };
    while (!signal.aborted && (await enqueueDue(jobs, claimed, pass)) === claimed);
    return msToNextDue(db);
  }),
  clock("retention", 15 * 60_000, "old history was not removed", ({ jobs }) => retain(jobs)),
  clock("billing", 10 * 60_000, "the billing clock stands still", ({ billing }) => runBillingClock(billing)),
  clock("housekeeping", 10 * 60_000, "housekeeping failed", async ({ db }) => {
    await deleteExpiredSessions(db);
    await deleteExpiredTokens(db);
    await deleteExpiredLimits(db);
    await deleteOldTurns(db);
    for (const { id, retentionDays } of plans) await deleteOldNotifications(db, id, retentionDays);
  }),
  { name: "demo", role: "api", start: startDemo },
  { name: "telegram", role: "api", start: async (app) => startTelegram(app) },
];

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
