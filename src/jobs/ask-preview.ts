import { randomUUID } from "node:crypto";
import { openGroupHeaders, withOwn } from "#checks/inherit.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { fillDates } from "#contract/fill-dates.ts";
import type { PreviewInput } from "#contract/preview.ts";
import { findGroup } from "#storage/groups.ts";
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
  const group = await groupOf(deps, accountId, input.groupId);
  const zone = (input.schedule ?? group?.timetable)?.zone;
  const fill = (text: string) => fillDates(text, new Date(), zone);
  const { waitFor, request } = input;
  const sealed = sealRules(deps, id, {
    headers: withOwn(group?.headers ?? [], input.headers ?? []),
    ...(waitFor && { waitFor }),
    ...(request && { request: { ...request, body: fill(request.body) } }),
  });
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
    const url = fill(input.url.trim());
    await insertPreview(tx, { id, account_id: accountId, url, host: hostOf(url), ...sealed });
    await deps.queue.send(tx, "preview", { previewId: id }, { owner: accountId, place: hostOf(url) });
  });
  return id;
}

async function groupOf({ db, secrets }: Deps, accountId: string, id: string | undefined) {
  if (id === undefined) return undefined;
  const group = await findGroup(db, accountId, id);
  if (!group) throw new AppError("NOT_FOUND", "There is no such group.");
  const { headers_sealed, timetable } = group;
  return {
    timetable,
    headers: openGroupHeaders(secrets, { group_id: id, group_headers_sealed: headers_sealed }),
  };
}
