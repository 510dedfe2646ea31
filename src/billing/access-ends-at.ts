import type { SubscriptionRow } from "#storage/subscriptions.ts";

/** Days for which access continues after a failed payment. */
export const graceDays = 7;

/** When access ends unless the user acts: by a cancellation, or after the grace period of a failed payment. */
export function accessEndsAt(row: Pick<SubscriptionRow, "ends_at" | "past_due_since">): Date | null {
  const grace = row.past_due_since && new Date(row.past_due_since.getTime() + graceDays * 86_400_000);
  if (!row.ends_at || !grace) return row.ends_at ?? grace;
  return row.ends_at < grace ? row.ends_at : grace;
}
