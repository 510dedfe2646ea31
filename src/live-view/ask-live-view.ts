import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NewLiveView } from "#contract/live-view.ts";
import { toPageUrl } from "#contract/page-url.ts";
import { assertIdentitiesAllowed, takeQuota } from "#plans/plan-limits.ts";
import { countUse } from "#request-limits/rate-limits.ts";
import { findIdentity } from "#storage/identities.ts";
import { hasOpenLiveView, insertLiveView, type LiveViewRow, openLiveView } from "#storage/live-views.ts";
import type { Deps } from "./deps.ts";

const perHour = { uses: 40, windowSeconds: 3600 };
const hash = (ticket: string) => createHash("sha256").update(ticket).digest("base64url");
const oneAtATime = "You have a live view open already. Close it first, or wait a minute if you just did.";

/** Prepares a live view and returns the ticket that opens it once. */
export async function askLiveView(
  deps: Deps,
  { accountId }: Actor,
  input: NewLiveView,
): Promise<{ liveViewId: string; ticket: string }> {
  const url = toPageUrl(input.url);
  // Judged first: a URL that can't be parsed is refused like any other.
  const reason = await deps.refuseTarget(url);
  if (reason) throw new AppError("TARGET_NOT_ALLOWED", reason, { field: "url" });
  const { origin } = new URL(url);
  const ticket = randomBytes(24).toString("base64url");
  const { id } = await deps.db.transaction().execute(async (tx) => {
    const quota = await takeQuota(tx, accountId);
    if (input.signsIn || input.identityId) assertIdentitiesAllowed(quota);
    const chosen = input.identityId && (await findIdentity(tx, accountId, input.identityId));
    if (input.identityId && !chosen) throw new AppError("NOT_FOUND");
    // The identity of a group isn't for its jobs of other sites.
    const identity = chosen && (input.signsIn || chosen.origins.includes(origin)) ? chosen : null;
    if (await hasOpenLiveView(tx, accountId)) throw new AppError("CONFLICT", oneAtATime);
    const seconds = await countUse(tx, `live-view:${accountId}`, perHour);
    if (seconds > 0)
      throw new AppError("RATE_LIMITED", `At most ${perHour.uses} live views an hour. Try again later.`, {
        retryAfterSeconds: seconds,
      });
    return insertLiveView(tx, {
      account_id: accountId,
      ticket: hash(ticket),
      url,
      origins: JSON.stringify([
        ...new Set([origin, ...input.origins, ...(identity ? identity.origins : [])]),
      ]),
      identity_id: identity?.id ?? null,
      signs_in: input.signsIn,
    });
  });
  return { liveViewId: id, ticket };
}

/** Uses up a ticket. */
export async function useTicket(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  { liveViewId, ticket }: { liveViewId: string; ticket: string },
): Promise<LiveViewRow> {
  const opened = await db.transaction().execute(async (tx) => {
    // Of two tickets that are used at once, one opens a live view.
    await takeQuota(tx, accountId);
    if (await hasOpenLiveView(tx, accountId)) throw new AppError("CONFLICT", oneAtATime);
    return openLiveView(tx, { accountId, id: liveViewId, ticket: hash(ticket) });
  });
  if (!opened)
    throw new AppError("NOT_FOUND", "This ticket was used, or it is too old. Open the live view again.");
  return opened;
}
