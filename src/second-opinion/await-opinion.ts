import type { Opinion } from "#contract/second-opinion.ts";
import { emitEvents } from "#live-events/events.ts";
import type { Database } from "#storage/database.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import {
  findOpinionEndpoint,
  findOpinionRow,
  insertOpinion,
  moveToDigest,
  settleOpinion,
} from "#storage/opinions.ts";
import type { Deps } from "./deps.ts";
import { readQuestion } from "./read-question.ts";

const graceSeconds = 1;
const dayInSeconds = 24 * 3600;

/**
 * Whether a change's alert is sent now. "begun": the opinion was asked for and the alert waits for it; `alongside` ran
 * in the same transaction. "waiting": that was done before. "lowered": it is in the daily digest. Whatever fails or
 * comes late, the task that is queued here announces the change again at the end of the wait, and then it is sent.
 */
export async function awaitOpinion(
  deps: Deps,
  notification: NotificationRow,
  alongside: () => Promise<((tx: Database) => Promise<void>) | undefined>,
): Promise<"send" | "begun" | "waiting" | "send-late" | "lowered"> {
  const {
    id: notificationId,
    account_id: accountId,
    job_id: jobId,
    execution_id: executionId,
  } = notification;
  if (!jobId || !executionId) return "send";
  const begun = await findOpinionRow(deps.db, accountId, executionId);
  if (begun) return begun.is_awaited ? endWait(deps, notification, executionId, begun.wait_until) : "send";
  const endpoint = await findOpinionEndpoint(deps.db, accountId);
  if (!endpoint?.is_on || (endpoint.paused_until && endpoint.paused_until > new Date())) return "send";
  const question = await readQuestion(deps.db, accountId, { jobId, executionId });
  if (!question || question.use === "off") return "send";
  // A grave alert isn't delayed; it carries the sentence if that is there when it is sent.
  const isAwaited = notification.severity === "notice";
  const write = isAwaited ? await alongside() : undefined;
  const isNew = await deps.db.transaction().execute(async (tx) => {
    const isFirst = await insertOpinion(tx, {
      execution_id: executionId,
      account_id: accountId,
      wait_until: new Date(Date.now() + endpoint.wait_seconds * 1_000),
      is_awaited: isAwaited,
    });
    if (!isFirst) return false;
    await deps.queue.send(tx, "opinion", { notificationId }, { owner: accountId });
    if (isAwaited)
      await deps.queue.send(
        tx,
        "announce",
        { notificationId },
        { startAfter: endpoint.wait_seconds + graceSeconds },
      );
    await write?.(tx);
    return true;
  });
  if (!isAwaited) return "send";
  return isNew ? "begun" : "waiting";
}

/** Ends the wait for good: whatever is settled here, a later answer changes nothing. */
async function endWait(
  deps: Deps,
  notification: NotificationRow,
  executionId: string,
  waitUntil: Date,
): Promise<"waiting" | "send-late" | "lowered"> {
  const { id: notificationId, account_id: accountId } = notification;
  return deps.db.transaction().execute(async (tx) => {
    const row = await findOpinionRow(tx, accountId, executionId);
    if (row && !row.is_settled && waitUntil > new Date()) return "waiting";
    if (row && !row.is_settled) await settleOpinion(tx, accountId, executionId, lateOpinion);
    // Read again: it may have been settled by another task a moment ago.
    const settled = await findOpinionRow(tx, accountId, executionId);
    if (!settled?.lowered) return "send-late";
    await moveToDigest(tx, accountId, notificationId);
    await deps.queue.send(tx, "daily", { accountId }, { singletonKey: accountId, startAfter: dayInSeconds });
    await emitEvents(tx, accountId, [{ kind: "notification", notificationId }]);
    return "lowered";
  });
}

const lateOpinion: Opinion = {
  model: "",
  class: null,
  sentence: null,
  blocks: [],
  lowered: false,
  why: "The opinion didn’t come in time.",
  inputTokens: 0,
  outputTokens: 0,
  cost: null,
  isCached: false,
};
