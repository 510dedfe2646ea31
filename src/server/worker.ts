import { sendRecoveryLink } from "#accounts/recover.ts";
import { openMail } from "#accounts/send-mail.ts";
import { announce } from "#alerts/announce.ts";
import { deliver } from "#alerts/deliver.ts";
import { digest } from "#alerts/digest.ts";
import { runTrigger } from "#alerts/run-trigger.ts";
import { endSubscription } from "#billing/manage-subscription.ts";
import { forget } from "#checks/forget.ts";
import { buildReport, giveUpReport } from "#reports/build-report.ts";
import type { App } from "./compose.ts";

/** Takes tasks from the queue until the queue is closed. */
export async function startWorker(app: App): Promise<void> {
  await app.queue.work("recover", { localConcurrency: 2 }, ({ sealed }) =>
    sendRecoveryLink(app.accounts, sealed),
  );
  await app.queue.work("end-subscription", { localConcurrency: 1 }, ({ subscriptionId }) =>
    endSubscription(app.billing, subscriptionId),
  );
  await app.queue.work("mail", { localConcurrency: 4 }, async ({ sealed }, { id }) => {
    const result = await app.mailer.send(openMail(app.accounts.secrets, sealed));
    app.metrics.mails.inc({ result: result.ok ? "sent" : "failed" });
    if (result.ok) return;
    const { transient, message } = result.failure;
    app.logger.warn(
      { task: id, reason: message },
      transient ? "a mail is delayed" : "a mail was refused for good",
    );
    if (transient) throw new Error("the mail server did not take the mail");
  });
  await app.queue.work("announce", { localConcurrency: 1, batchSize: 4 }, (task) =>
    announce(app.alerts, task),
  );
  await app.queue.work("deliver", { localConcurrency: 2, batchSize: 6 }, (task, attempt) =>
    deliver(app.alerts, task, attempt),
  );
  await app.queue.work("digest", { localConcurrency: 2 }, (task, attempt) =>
    digest(app.alerts, task, attempt),
  );
  await app.queue.work("trigger", { localConcurrency: 1, batchSize: 8 }, (task, attempt) =>
    runTrigger(app.alerts, task, attempt),
  );
  await app.queue.work("report", { localConcurrency: 1 }, ({ reportId }) =>
    buildReport(app.alerts, reportId),
  );
  await app.queue.workDead("report", ({ reportId }) => giveUpReport(app, reportId));
  await app.queue.work("forget", { localConcurrency: 1 }, (task) => forget(app.jobs, task));
}
