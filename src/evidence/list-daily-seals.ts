import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Evidence, EvidenceSettings } from "#contract/evidence.ts";
import type { AnchorTarget } from "#storage/seal-tables.ts";
import type { Deps } from "./daily-seal.ts";
import {
  areDailySealsMailed,
  findAnchorWebhook,
  listDailySeals,
  setAnchorWebhook,
  setDailySealsMailed,
} from "./seal-rows.ts";
import { webhookContext } from "./send-daily-seal.ts";
import { openSigningKey } from "./signing-key.ts";

const daysShown = 30;

/** Reads the account's newest daily fingerprints, and what vouches for them outside this installation. */
export async function readDailySeals(deps: Deps, { accountId }: Actor): Promise<Evidence> {
  const { db, requestStamp, bucket, secrets } = deps;
  const [days, mail, sealed, { number, fingerprint }] = await Promise.all([
    listDailySeals(db, accountId, daysShown),
    areDailySealsMailed(db, accountId),
    findAnchorWebhook(db, accountId),
    openSigningKey(deps),
  ]);
  return {
    key: { number, fingerprint },
    mail,
    // Only the host: the rest of the address may contain a secret.
    webhook: sealed && new URL(secrets.open(sealed, webhookContext(accountId))).host,
    bucket: bucket?.name ?? null,
    stamps: requestStamp !== null,
    days: days.map(({ day, hash, jobs, stamped_at, authority, stamp_problem, sent, send_problems }) => ({
      day,
      head: hash.toString("hex"),
      jobs,
      stampedAt: stamped_at?.toISOString() ?? null,
      authority,
      problem: stamp_problem,
      sent: listTargets(sent).map(([to, at]) => ({ to, at: new Date(at).toISOString() })),
      unsent: listTargets(send_problems).map(([to, problem]) => ({ to, problem })),
    })),
  };
}

const listTargets = (given: Partial<Record<AnchorTarget, string>>) =>
  (Object.entries(given) as [AnchorTarget, string][]).sort(([a], [b]) => (a < b ? -1 : 1));

export async function setEvidence(
  { db, secrets, refuseWebhook }: Deps,
  { accountId }: Actor,
  { mail, webhook }: EvidenceSettings,
): Promise<void> {
  const problem = webhook ? await refuseWebhook(webhook) : null;
  if (problem) throw new AppError("INVALID_INPUT", problem, { field: "webhook" });
  if (mail !== undefined) await setDailySealsMailed(db, accountId, mail);
  if (webhook !== undefined)
    await setAnchorWebhook(db, accountId, webhook && secrets.seal(webhook, webhookContext(accountId)));
}
