import { createHash, randomBytes } from "node:crypto";
import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Share, SharedComparison } from "#contract/share.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { compareExecutions } from "#history/compare-executions.ts";
import { readHtml, readImage } from "#history/read-capture.ts";
import { ownExecution } from "#history/read-execution.ts";
import { lockAccount } from "#storage/accounts.ts";
import { notShareable } from "#storage/shareable.ts";
import {
  countShares,
  deleteExpiredShares,
  deleteShare,
  findShare,
  insertShare,
  isJobShareable,
  listSharedExecutions,
  listShares as listShareRows,
} from "./share-rows.ts";

const maxShares = 100;

type Shared = SharedComparison["comparison"];

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** Creates a public link to one comparison. The comparison is stored now, so that opening the link costs nothing. */
export async function shareComparison(
  deps: Deps,
  actor: Actor,
  jobId: string,
  input: { executionId: string; fromId?: string; days: number },
): Promise<{ id: string; token: string; expiresAt: string }> {
  const after = await ownExecution(deps, actor, jobId, input.executionId);
  if (!(await isJobShareable(deps.db, actor.accountId, jobId))) throw new AppError("CONFLICT", notShareable);
  if (!after.html) throw new AppError("CONFLICT", "This check failed and has no capture to share.");
  const beforeId = input.fromId ?? after.baseline_id;
  const before = beforeId ? await ownExecution(deps, actor, jobId, beforeId) : null;
  const shared = before?.html
    ? redactVerdict(await compareExecutions(deps, actor, jobId, { from: before.id, to: after.id }))
    : null;
  const token = randomBytes(24).toString("base64url");
  await deleteExpiredShares(deps.db);
  const { id, expires_at } = await deps.db.transaction().execute(async (tx) => {
    // Calls that share at the same time are counted one after the other.
    await lockAccount(tx, actor.accountId);
    if ((await countShares(tx, actor.accountId)) >= maxShares)
      throw new AppError("CONFLICT", `You have ${maxShares} links. Revoke one that is no longer needed.`);
    return insertShare(
      tx,
      {
        account_id: actor.accountId,
        job_id: jobId,
        before_id: before?.html ? before.id : null,
        after_id: after.id,
        token_hash: hashOf(token),
        comparison: shared && JSON.stringify(shared),
      },
      input.days,
    );
  });
  return { id, token, expiresAt: expires_at.toISOString() };
}

// Headers and cookies may contain information that only the owner's own requests received.
const ownersOnly = new Set(["header", "cookie", "weaker-header", "weaker-cookie"]);

/** A verdict reduced to what strangers may see. */
export function redactVerdict(verdict: Verdict): NonNullable<Shared> {
  const reasons = verdict.reasons.filter(({ kind }) => !ownersOnly.has(kind));
  const isReduced = reasons.length < verdict.reasons.length;
  const [first] = reasons;
  return {
    changed: isReduced ? reasons.some(({ severity }) => severity !== "info") : verdict.changed,
    similarity: verdict.similarity,
    severity: isReduced ? (first?.severity ?? "info") : verdict.severity,
    summary: isReduced ? (first?.summary ?? "No visible change") : verdict.summary,
    reasons,
    findings: verdict.findings.filter(({ kind }) => !ownersOnly.has(kind)),
    regions: verdict.regions,
  };
}

export async function listShares(deps: Pick<Deps, "db">, actor: Actor): Promise<Share[]> {
  const rows = await listShareRows(deps.db, actor.accountId);
  return rows.map((row) => ({
    id: row.id,
    jobId: row.job_id,
    jobName: row.name,
    executionId: row.after_id,
    index: row.after_number,
    fromIndex: row.before_number,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Revokes a link immediately. */
export async function revokeShare(deps: Pick<Deps, "db">, actor: Actor, tokenOrId: string): Promise<void> {
  const condition = uuid.test(tokenOrId) ? { id: tokenOrId } : { tokenHash: hashOf(tokenOrId) };
  if (!(await deleteShare(deps.db, actor.accountId, condition))) throw new AppError("NOT_FOUND");
}

/** Reads what a link shares. Unknown, expired and revoked links can't be told apart. */
async function openShare(deps: Pick<Deps, "db">, token: string) {
  const share = await findShare(deps.db, hashOf(token));
  if (!share) throw new AppError("NOT_FOUND");
  const ids = [share.after_id, ...(share.before_id ? [share.before_id] : [])];
  const rows = await listSharedExecutions(deps.db, share.job_id, ids);
  const after = rows.find(({ id }) => id === share.after_id);
  const before = rows.find(({ id }) => id === share.before_id) ?? null;
  if (!after) throw new AppError("NOT_FOUND");
  return { share, before, after };
}

export async function readShare(deps: Pick<Deps, "db">, token: string): Promise<SharedComparison> {
  const { share, before, after } = await openShare(deps, token);
  const { origin, pathname } = new URL(share.url);
  const describe = (row: typeof after) => ({
    createdAt: row.created_at.toISOString(),
    status_code: row.status_code,
    hasImage: row.picture !== null,
    importedAt: row.imported?.at ?? null,
  });
  return {
    page: origin + pathname,
    expiresAt: share.expires_at.toISOString(),
    before: before && describe(before),
    after: describe(after),
    comparison: before ? (share.comparison as Shared) : null,
  };
}

type Side = "before" | "after";

/** A shared capture's picture, with a tag that changes when the picture does. */
export async function openSharedImage(deps: Deps, token: string, side: Side) {
  const { share, row } = await openSide(deps, token, side);
  return {
    tag: row.picture?.toString("hex").slice(0, 32) ?? "",
    read: () => readImage(deps, { accountId: share.account_id }, share.job_id, row.id),
  };
}

export async function readSharedHtml(deps: Deps, token: string, side: Side): Promise<string> {
  const { share, row } = await openSide(deps, token, side);
  return readHtml(deps, { accountId: share.account_id }, share.job_id, row.id);
}

async function openSide(deps: Deps, token: string, side: Side) {
  const opened = await openShare(deps, token);
  const row = opened[side];
  if (!row) throw new AppError("NOT_FOUND");
  return { share: opened.share, row };
}
