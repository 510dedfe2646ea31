import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { countUse } from "#storage/rate-limits.ts";
import type { SecretBox } from "#storage/secret-box.ts";
import type { MailContent } from "./mail-templates.ts";

export type OutgoingMail = MailContent & { to: string };

const MAIL_CONTEXT = "task:mail";
const perHour = { uses: 30, windowSeconds: 3600 };

/**
 * Queues a mail with the caller's transaction; links inside are secrets, so the payload is sealed. Each kind of letter
 * has a budget of its own, so that nobody can keep one from an address by causing others. What is over it comes when the
 * hour is: none is dropped.
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
