import { renderMailContent } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Queue } from "#queue/queue.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { LockedBucket } from "#storage/locked-bucket.ts";
import type { Deps as Stores } from "./deps.ts";
import type { RequestStamp } from "./request-stamp.ts";
import { type DayStatement, hashText, leafOf } from "./seal-format.ts";
import { insertDailySeal, listAccountsToSeal, lockChains, noteSent } from "./seal-rows.ts";
import { openSigningKey, type SigningKey } from "./signing-key.ts";

export type Deps = Stores & {
  queue: Queue;
  secrets: SecretBox;
  baseUrl: string;
  /** Null where no authority is configured. */
  requestStamp: RequestStamp | null;
  http: GuardedFetch;
  /** A second bucket, with object lock; null where none is configured. */
  bucket: LockedBucket | null;
  /** Why an address can't be a webhook; null if it can. */
  refuseWebhook: (url: string) => Promise<string | null>;
};

const accountsAtOnce = 100;

/** Makes each account's daily seal of the day that is over, chained to its previous one. Safe to repeat. */
export async function makeDailySeals(deps: Deps, now = new Date()): Promise<void> {
  const day = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  let key: SigningKey | undefined;
  for (;;) {
    const accounts = await listAccountsToSeal(deps.db, day, accountsAtOnce);
    if (accounts.length > 0) key ??= await openSigningKey(deps);
    for (const accountId of accounts) if (key) await sealDay(deps, key, accountId, { day, now });
    if (accounts.length < accountsAtOnce) return;
  }
}

async function sealDay(
  deps: Deps,
  key: SigningKey,
  accountId: string,
  { day, now }: { day: string; now: Date },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { account, heads, last } = await lockChains(tx, accountId);
    if (!account || heads.length === 0 || (last && last.day >= day)) return;
    const content: DayStatement = {
      watchglass: "day 2",
      day,
      taken: now.toISOString(),
      previous: last?.hash.toString("hex") ?? null,
      heads: heads
        .map(({ job_id, position, hash }) => leafOf(job_id, position, hash?.toString("hex") ?? ""))
        .sort(),
      key: key.fingerprint,
    };
    const statement = JSON.stringify(content);
    const hash = hashText(statement);
    await insertDailySeal(tx, {
      account_id: accountId,
      day,
      statement,
      hash: Buffer.from(hash, "hex"),
      jobs: heads.length,
      signature: key.sign(statement),
      created_at: now,
    });
    if (deps.requestStamp) await deps.queue.send(tx, "stamp", { accountId, day });
    if (account.anchor_webhook) await deps.queue.send(tx, "anchor", { accountId, day, target: "webhook" });
    if (deps.bucket) await deps.queue.send(tx, "anchor", { accountId, day, target: "bucket" });
    if (account.mails_heads) {
      await sendMail(deps, tx, { to: account.email, ...renderMail(day, hash, heads.length, key) });
      await noteSent(tx, { accountId, day, target: "mail" }, null);
    }
  });
}

/** A copy that is kept outside our system proves later that nothing before it was altered. */
function renderMail(day: string, hash: string, jobs: number, { fingerprint }: SigningKey) {
  return renderMailContent({
    subject: `Daily fingerprint of ${day}`,
    paragraphs: [
      `Everything that ${jobs === 1 ? "your job has" : `your ${jobs} jobs have`} captured up to the end of ${day} (UTC) is covered by this fingerprint (SHA-256):`,
      hash,
      "Keep this mail. It proves later that nothing up to that day was changed, even by whoever runs the server. verify.mjs, which is in every export, checks it: node verify.mjs FILE --head FINGERPRINT",
      `This installation signs with the key ${fingerprint}.`,
    ],
  });
}
