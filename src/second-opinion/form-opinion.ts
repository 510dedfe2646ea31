import { findNotification } from "#storage/deliveries.ts";
import { findOpinionEndpoint, findOpinionRow, settleOpinion } from "#storage/opinions.ts";
import { applyOpinion } from "./apply-opinion.ts";
import { askAboutChange } from "./ask-about-change.ts";
import type { Deps } from "./deps.ts";
import { readQuestion } from "./read-question.ts";

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
  const opinion = applyOpinion(await askAboutChange(deps, endpoint, question.change, deadline), question);
  await deps.db.transaction().execute(async (tx) => {
    const isInTime = await settleOpinion(tx, accountId, executionId, opinion);
    if (isInTime && row.is_awaited) await deps.queue.send(tx, "announce", { notificationId });
  });
}
