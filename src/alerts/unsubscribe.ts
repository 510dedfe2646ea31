import { findAccount, updateAccount } from "#storage/accounts.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { markFailing } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";

const unsubscribeContext = "unsubscribe";

/** The unsubscribe link of an account's mails. */
export function unsubscribeLink({ baseUrl, secrets }: Deps, accountId: string): string {
  return `${baseUrl}/api/unsubscribe/${secrets.seal(accountId, unsubscribeContext)}`;
}

/** The account that a mail's unsubscribe link is for; undefined if we did not create the link. */
export function openUnsubscribe({ secrets }: Pick<Deps, "secrets">, token: string): string | undefined {
  try {
    return secrets.open(token, unsubscribeContext);
  } catch {
    return undefined;
  }
}

/** Ends all alerts by mail, including those that replace a failing channel; false if the link isn't ours. */
export async function unsubscribe(deps: Deps, token: string): Promise<boolean> {
  const accountId = openUnsubscribe(deps, token);
  if (!accountId) return false;
  await deps.db.transaction().execute(async (tx) => {
    if (!(await findAccount(tx, accountId))) return;
    await updateAccount(tx, accountId, { email_notifications: false });
    await markFailing(tx, accountId, "email", { message: "Unsubscribed by a link in an email.", gone: true });
    await addAuditEntry(tx, accountId, { action: "notifications-changed", about: "Mail off", actor: "link" });
  });
  return true;
}
