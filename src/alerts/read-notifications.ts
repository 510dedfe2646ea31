import type { z } from "zod";
import type { Actor } from "#contract/actor.ts";
import type { Feed } from "#contract/job.ts";
import { describeNotification } from "#storage/describe-notification.ts";
import { countUnread, listNotifications } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";

export async function readNotifications(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  page: { limit: number; cursor?: string; until?: string },
): Promise<z.input<typeof Feed>> {
  const [rows, unread] = await Promise.all([
    listNotifications(db, accountId, { ...page, limit: page.limit + 1 }),
    countUnread(db, accountId),
  ]);
  const shown = rows.slice(0, page.limit);
  return {
    notifications: shown.map(describeNotification),
    unread,
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
