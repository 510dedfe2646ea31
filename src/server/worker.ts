import { sendRecoveryLink } from "#accounts/recover.ts";
import { openMail } from "#accounts/send-mail.ts";
import { forget } from "#jobs/forget.ts";
import type { App } from "./compose.ts";

/** Takes tasks from the queue until the queue is closed. */
export async function startWorker(app: App): Promise<void> {
  await app.queue.work("recover", { localConcurrency: 2 }, ({ sealed }) =>
    sendRecoveryLink(app.accounts, sealed),
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
  await app.queue.work("forget", { localConcurrency: 1 }, (task) => forget(app.jobs, task));
}
