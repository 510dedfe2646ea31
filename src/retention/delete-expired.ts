import { sql } from "kysely";
import { plans } from "#plans/plans.ts";
import type { Database } from "#storage/database.ts";
import { deleteEmptyIncidents } from "#storage/incidents.ts";
import { deleteOldNotifications } from "#storage/notifications.ts";
import { retentionSeconds } from "./policy.ts";

type Expiry = { table: string; column: string; seconds: number; only?: string };

const expiries: Expiry[] = [
  { table: "audit_entries", column: "created_at", seconds: retentionSeconds.auditEntries },
  {
    table: "billing_events",
    column: "received_at",
    seconds: retentionSeconds.strayBillingEvents,
    only: "account_id is null",
  },
  {
    table: "checkouts",
    column: "expires_at",
    seconds: retentionSeconds.unusedCheckouts,
    only: "subscription_id is null",
  },
  { table: "telegram_updates", column: "seen_at", seconds: retentionSeconds.telegramUpdates },
  { table: "send_turns", column: "next_at", seconds: retentionSeconds.sendTurns },
  { table: "opinion_answers", column: "asked_at", seconds: retentionSeconds.opinionAnswers },
  { table: "opinion_calls", column: "asked_at", seconds: retentionSeconds.opinionCalls },
  { table: "previews", column: "created_at", seconds: retentionSeconds.previews },
  { table: "live_views", column: "created_at", seconds: retentionSeconds.liveViews },
  { table: "events", column: "created_at", seconds: retentionSeconds.liveEvents },
  { table: "sessions", column: "expires_at", seconds: retentionSeconds.overdue },
  { table: "account_tokens", column: "expires_at", seconds: retentionSeconds.overdue },
  { table: "bulk_actions", column: "expires_at", seconds: retentionSeconds.overdue },
  { table: "rate_limits", column: "window_ends_at", seconds: retentionSeconds.overdue },
  { table: "host_pauses", column: "until", seconds: retentionSeconds.overdue },
  { table: "account_pauses", column: "until", seconds: retentionSeconds.overdue },
  { table: "site_hosts", column: "next_at", seconds: retentionSeconds.overdue },
  { table: "site_paces", column: "next_at", seconds: retentionSeconds.overdue },
];

/** Deletes rows whose time is over: notifications after the days of the account's plan, others whatever the plan. */
export async function deleteExpired(db: Database): Promise<void> {
  for (const { table, column, seconds, only = "true" } of expiries)
    await sql`
      delete from ${sql.table(table)}
      where ${sql.ref(column)} < now() - make_interval(secs => ${seconds}) and ${sql.raw(only)}
    `.execute(db);
  await deleteEmptyIncidents(db);
  for (const { id, retentionDays } of plans) await deleteOldNotifications(db, id, retentionDays);
}
