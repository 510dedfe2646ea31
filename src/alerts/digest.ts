import { backoff, maxAttempts, maxMailAttempts } from "#delivery/retry.ts";
import type { Attempt } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findAccount } from "#storage/accounts.ts";
import { markWorking, moveChat } from "#storage/channels.ts";
import { listHeld, lockDigest, markSent } from "#storage/deliveries.ts";
import { buildDigest } from "./build-alert.ts";
import type { Deps } from "./deps.ts";
import { giveUp } from "./give-up.ts";
import { countMail, scheduleDigest } from "./schedule-delivery.ts";
import { sendTo } from "./send-to.ts";

const most = 2_000;

/** Sends all that an account's channel held back as one message. */
export async function digest(deps: Deps, task: Tasks["digest"], attempt: Attempt): Promise<void> {
  const { accountId, channel } = task;
  const [account, held] = await Promise.all([
    findAccount(deps.db, accountId),
    listHeld(deps.db, accountId, channel, most),
  ]);
  const first = held[0];
  if (!account || !first) return;
  const wait = channel === "email" && task.attempts === 0 ? await countMail(deps.db, account) : 0;
  const result =
    wait > 0
      ? { ok: false as const, failure: { message: "", transient: true, retryAfterSeconds: wait } }
      : await sendTo(deps, account, channel, `digest-${first.id}`, async () => buildDigest(deps, held));
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deps.queue.settle(tx, "digest", attempt))) return;
    await lockDigest(tx, accountId, channel);
    if (!result.ok) {
      const { failure } = result;
      if (failure.movedTo) await moveChat(tx, accountId, Number(failure.movedTo));
      const asked = failure.retryAfterSeconds;
      const attempts = task.attempts + (asked ? 0 : 1);
      const limit = channel === "email" ? maxMailAttempts : maxAttempts;
      if (failure.transient && attempts < limit) {
        return scheduleDigest(deps, tx, accountId, channel, asked ?? backoff("message", attempts), attempts);
      }
      await giveUp(deps, tx, account, held, failure);
    } else {
      await markSent(
        tx,
        held.map(({ id }) => id),
      );
      await markWorking(tx, accountId, channel);
    }
    // What was held back meanwhile saw that a digest was coming and left it at that.
    const [more] = await listHeld(tx, accountId, channel, 1);
    if (more) await scheduleDigest(deps, tx, accountId, channel, 60);
  });
}
