import type { z } from "zod";
import type { Actor } from "#contract/actor.ts";
import type { Feed } from "#contract/job.ts";
import { countUnread, listNotifications } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";

export async function readFeed(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  page: { limit: number; cursor?: string },
): Promise<z.input<typeof Feed>> {
  const [rows, unread] = await Promise.all([
    listNotifications(db, accountId, page.limit + 1, page.cursor),
    countUnread(db, accountId),
  ]);
  const shown = rows.slice(0, page.limit);
  return {
    notifications: shown.map((row) => ({
      id: row.id,
      kind: row.kind,
      jobId: row.job_id,
      executionId: row.execution_id,
      severity: row.severity as "info",
      title: row.title,
      message: row.message,
      createdAt: row.created_at.toISOString(),
      read: row.read_at !== null,
    })),
    unread,
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
