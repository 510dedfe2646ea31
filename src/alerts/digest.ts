import type { Attempt } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findAccount } from "#storage/accounts.ts";
import { markWorking } from "#storage/channels.ts";
import { listHeld, lockDigest, markSent } from "#storage/deliveries.ts";
import { buildDigest } from "./build-alert.ts";
import type { Deps } from "./deps.ts";
import { countShare, scheduleDigest } from "./schedule-delivery.ts";
import { sendTo } from "./send-to.ts";
import { settleFailure } from "./settle-failure.ts";

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
  const wait = task.attempts === 0 ? await countShare(deps, deps.db, account, channel) : 0;
  const result =
    wait > 0
      ? { ok: false as const, failure: { message: "", transient: true, retryAfterSeconds: wait } }
      : await sendTo(deps, account, channel, `digest-${first.id}`, async () => buildDigest(deps, held));
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deps.queue.settle(tx, "digest", attempt))) return;
    await lockDigest(tx, accountId, channel);
    if (!result.ok) {
      const { failure } = result;
      const failed = { channel, deliveries: held, failure, failed: task.attempts };
      const end = await settleFailure(deps, tx, account, failed, (seconds, attempts) =>
        scheduleDigest(deps, tx, accountId, channel, seconds, attempts),
      );
      if (end === "put-off") return;
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
