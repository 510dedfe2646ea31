import type { Deps } from "#alerts/deps.ts";
import { countShare, scheduleDigest } from "#alerts/schedule-delivery.ts";
import { sendToChannel } from "#alerts/send-to-channel.ts";
import { settleFailure } from "#alerts/settle-failure.ts";
import type { Summarize } from "#contract/second-opinion.ts";
import type { Attempt } from "#queue/queue.ts";
import { retryRecording } from "#queue/retry-recording.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findAccount } from "#storage/accounts.ts";
import { markWorking } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { listHeld, lockDigest, markSent } from "#storage/deliveries.ts";
import { buildDigest } from "./build-digest.ts";

const maxMessages = 2_000;

/** Sends all messages held back for an account's channel as one message. */
export async function digest(
  deps: Deps,
  task: Tasks["digest"],
  attempt: Attempt,
  summarize: Summarize,
): Promise<void> {
  const { accountId, channel } = task;
  const [account, held] = await Promise.all([
    findAccount(deps.db, accountId),
    listHeld(deps.db, accountId, channel, maxMessages),
  ]);
  const first = held[0];
  if (!account || !first) return;
  const wait = task.attempts === 0 ? await countShare(deps, deps.db, account, channel) : 0;
  const result =
    wait > 0
      ? { ok: false as const, failure: { message: "", transient: true, retryAfterSeconds: wait } }
      : await sendToChannel(deps, account, channel, { messageId: `digest-${first.id}` }, async () => {
          const digest = await buildDigest(deps, accountId, held, summarize);
          await deps.queue.hold("digest", attempt);
          return digest;
        });
  const record = async (tx: Database) => {
    if (result.ok) await deps.queue.settleSent(tx, "digest", attempt);
    else if (!(await deps.queue.settle(tx, "digest", attempt))) return;
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
    // Messages held back in the meantime saw that a digest was queued and scheduled none themselves.
    const [more] = await listHeld(tx, accountId, channel, 1);
    if (more) await scheduleDigest(deps, tx, accountId, channel, 60);
  };
  await retryRecording(() => deps.db.transaction().execute(record));
}
