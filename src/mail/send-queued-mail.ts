import type { Attempt, Queue } from "#queue/queue.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { Mailer } from "./mailer.ts";
import { openMail } from "./send-mail.ts";

type Deps = {
  mailer: Mailer;
  secrets: SecretBox;
  queue: Queue;
  baseUrl: string;
  logger: { warn(details: object, message: string): void };
};

/**
 * Sends a mail from the queue. A delayed one fails the task, so that it is tried again; a refused one is not. Each
 * attempt has the same Message-ID, so that a mail server that took it twice can tell.
 */
export async function sendQueuedMail(
  { mailer, secrets, logger, queue, baseUrl }: Deps,
  sealed: string,
  attempt: Attempt,
  observe: (result: "sent" | "failed") => void,
): Promise<void> {
  const mail = openMail(secrets, sealed);
  await queue.hold("mail", attempt);
  const task = attempt.id;
  const result = await mailer.send({ ...mail, messageId: `<${task}@${new URL(baseUrl).hostname}>` });
  observe(result.ok ? "sent" : "failed");
  if (result.ok) return;
  const { transient, message } = result.failure;
  logger.warn({ task, reason: message }, transient ? "a mail is delayed" : "a mail was refused permanently");
  if (transient) throw new Error("the mail server did not take the mail");
}
