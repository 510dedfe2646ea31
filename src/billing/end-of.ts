import type { SubscriptionRow } from "#storage/subscriptions.ts";

/** Access goes on for so long after a payment failed. */
export const graceDays = 7;

/** When access ends unless something is done: a cancellation takes effect, or the grace after a failed payment is over. */
export function endOf(row: Pick<SubscriptionRow, "ends_at" | "past_due_since">): Date | null {
  const grace = row.past_due_since && new Date(row.past_due_since.getTime() + graceDays * 86_400_000);
  if (!row.ends_at || !grace) return row.ends_at ?? grace;
  return row.ends_at < grace ? row.ends_at : grace;
}
