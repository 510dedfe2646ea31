import { renderLetter } from "#accounts/mail-templates.ts";
import { sendMail } from "#accounts/send-mail.ts";
import type { Deps as CheckDeps } from "#checks/deps.ts";
import { type DayStatement, hashText, leafOf } from "#checks/verify.ts";
import type { RequestStamp } from "#delivery/open-stamps.ts";
import { insertDay, listAccountsToClose, lockChains } from "#storage/seals.ts";

export type Deps = Pick<CheckDeps, "db" | "queue" | "secrets" | "blobs"> & {
  baseUrl: string;
  /** Null where no authority is configured. */
  requestStamp: RequestStamp | null;
};

const accountsAtOnce = 100;

/** Takes the head of each account's day that is over, chained to its day before. Safe to repeat. */
export async function closeDays(deps: Deps, now = new Date()): Promise<void> {
  const day = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  for (;;) {
    const accounts = await listAccountsToClose(deps.db, day, accountsAtOnce);
    for (const accountId of accounts) await closeDay(deps, accountId, day, now);
    if (accounts.length < accountsAtOnce) return;
  }
}

async function closeDay(deps: Deps, accountId: string, day: string, now: Date): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { account, heads, last } = await lockChains(tx, accountId);
    if (!account || heads.length === 0 || (last && last.day >= day)) return;
    const content: DayStatement = {
      watchglass: "day 1",
      day,
      taken: now.toISOString(),
      previous: last?.hash.toString("hex") ?? null,
      heads: heads
        .map(({ job_id, position, hash }) => leafOf(job_id, position, hash?.toString("hex") ?? ""))
        .sort(),
    };
    const statement = JSON.stringify(content);
    const hash = hashText(statement);
    await insertDay(tx, {
      account_id: accountId,
      day,
      statement,
      hash: Buffer.from(hash, "hex"),
      jobs: heads.length,
      created_at: now,
    });
    if (deps.requestStamp) await deps.queue.send(tx, "stamp", { accountId, day });
    if (account.mails_heads)
      await sendMail(deps, tx, { to: account.email, ...headMail(day, hash, heads.length) });
  });
}

/** Kept outside of our walls, it proves later that nothing before it was altered. */
function headMail(day: string, hash: string, jobs: number) {
  return renderLetter({
    subject: `Head of ${day}`,
    paragraphs: [
      `Everything that ${jobs === 1 ? "your job has" : `your ${jobs} jobs have`} captured up to the end of ${day} (UTC) is sealed by this hash:`,
      hash,
      "Keep this mail. An export of a job names the same hash for the day, and verify.mjs, which stands in every export, checks it: node verify.mjs FILE --head HASH",
    ],
  });
}
