import type { Actor } from "#contract/actor.ts";
import type { Evidence } from "#contract/evidence.ts";
import { listDays, mailsHeads, setMailsHeads } from "#storage/seals.ts";
import type { Deps } from "./close-days.ts";

const daysShown = 30;

/** The heads of the account's newest days, and whether they are mailed and stamped. */
export async function readEvidence(
  { db, requestStamp }: Pick<Deps, "db" | "requestStamp">,
  { accountId }: Actor,
): Promise<Evidence> {
  const [days, mail] = await Promise.all([listDays(db, accountId, daysShown), mailsHeads(db, accountId)]);
  return {
    mail,
    stamps: requestStamp !== null,
    days: days.map(({ day, hash, jobs, stamped_at, authority, stamp_problem }) => ({
      day,
      head: hash.toString("hex"),
      jobs,
      stampedAt: stamped_at?.toISOString() ?? null,
      authority,
      problem: stamp_problem,
    })),
  };
}

export async function setEvidence(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  mail: boolean,
): Promise<void> {
  await setMailsHeads(db, accountId, mail);
}
