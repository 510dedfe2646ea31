import { randomUUID } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { PreviewInput } from "#contract/preview.ts";
import { countQueuedPreviews, insertPreview } from "#storage/previews.ts";
import { countUse } from "#storage/rate-limits.ts";
import type { Deps } from "./deps.ts";
import { takeQuota } from "./limits.ts";
import { assertTarget, hostOf, sealRules } from "./rules.ts";

const atOnce = 2;
const perHour = { uses: 30, windowSeconds: 3600 };

/** Has a page looked at once, as a check would, without making a job. */
export async function askPreview(deps: Deps, actor: Actor, input: PreviewInput): Promise<string> {
  const { accountId } = actor;
  await assertTarget(deps, input.url);
  const id = randomUUID();
  const { headers, waitFor } = input;
  const sealed = sealRules(deps, id, { ...(headers && { headers }), ...(waitFor && { waitFor }) });
  await deps.db.transaction().execute(async (tx) => {
    // Its lock makes two that are asked for at once count each other.
    await takeQuota(tx, accountId);
    if ((await countQueuedPreviews(tx, accountId)) >= atOnce)
      throw new AppError("RATE_LIMITED", `${atOnce} previews are still under way.`, { retryAfterSeconds: 5 });
    const seconds = await countUse(tx, `preview:${accountId}`, perHour);
    if (seconds > 0)
      throw new AppError("RATE_LIMITED", `At most ${perHour.uses} previews an hour. Try again later.`, {
        retryAfterSeconds: seconds,
      });
    const url = input.url.trim();
    await insertPreview(tx, { id, account_id: accountId, url, host: hostOf(url), ...sealed });
    await deps.queue.send(tx, "preview", { previewId: id }, { owner: accountId, place: hostOf(url) });
  });
  return id;
}
