import type { Queue } from "#queue/queue.ts";
import { countUse } from "#request-limits/rate-limits.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { MailContent } from "./mail-templates.ts";

export type OutgoingMail = MailContent & { to: string };

const MAIL_CONTEXT = "task:mail";
const perHour = { uses: 30, windowSeconds: 3600 };

/**
 * Queues a mail in the caller's transaction. Links in it are secrets, so the payload is encrypted. Each kind of mail
 * has its own hourly budget per address, so that nobody can hold back one kind by causing others. Mails over the budget
 * are sent when the hour is over; none is dropped.
 */
export async function sendMail(
  deps: { queue: Queue; secrets: SecretBox },
  tx: Database,
  mail: OutgoingMail,
): Promise<void> {
  const startAfter = await countUse(tx, `mail:${mail.subject}:${mail.to.toLowerCase()}`, perHour);
  const sealed = deps.secrets.seal(JSON.stringify(mail), MAIL_CONTEXT);
  await deps.queue.send(tx, "mail", { sealed }, { startAfter });
}

export function openMail(secrets: SecretBox, sealed: string): OutgoingMail {
  return JSON.parse(secrets.open(sealed, MAIL_CONTEXT)) as OutgoingMail;
}
