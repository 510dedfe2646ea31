import { findNotification } from "#storage/deliveries.ts";
import { countLowered, findOpinionEndpoint, findOpinionRow, settleOpinion } from "#storage/opinions.ts";
import { applyOpinion } from "./apply-opinion.ts";
import { askAboutChange } from "./ask-about-change.ts";
import type { Deps } from "./deps.ts";
import { readQuestion } from "./read-question.ts";

/** Of each job, so many alerts may wait for the digest, so that a page can't bury other alerts in it. */
const mostLowered = 20;

/** Time that is left to record the opinion before the alert is sent without it. */
const recordingMs = 300;

/** Asks the model about a change, stores its opinion and announces the change again, which then sends or lowers it. */
export async function formOpinion(deps: Deps, { notificationId }: { notificationId: string }): Promise<void> {
  const notification = await findNotification(deps.db, notificationId);
  if (!notification?.job_id || !notification.execution_id) return;
  const { account_id: accountId, job_id: jobId, execution_id: executionId } = notification;
  const [row, endpoint, question] = await Promise.all([
    findOpinionRow(deps.db, accountId, executionId),
    findOpinionEndpoint(deps.db, accountId),
    readQuestion(deps.db, accountId, { jobId, executionId }),
  ]);
  if (!row || row.is_settled || !endpoint?.is_on || !question) return;
  const deadline = row.wait_until.getTime() - recordingMs;
  const answer = await askAboutChange(deps, endpoint, question.change, deadline);
  const isFull = (await countLowered(deps.db, accountId, jobId)) >= mostLowered;
  const fixed = question.fixed ?? (isFull ? `The digest has ${mostLowered} alerts of this job.` : null);
  const blockCount = question.change.blocks.length;
  const opinion = applyOpinion(answer, { use: question.use, fixed, blockCount });
  await deps.db.transaction().execute(async (tx) => {
    const isInTime = await settleOpinion(tx, accountId, executionId, opinion);
    if (isInTime && row.is_awaited) await deps.queue.send(tx, "announce", { notificationId });
  });
}
