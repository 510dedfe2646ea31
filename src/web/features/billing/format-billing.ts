import { formatPrice, planById } from "#plans/plans.ts";
import type { BillingState, Invoice } from "./use-billing.ts";

/** Formats a price, such as '0$' or '9$'. */
export const priceOf = (dollars: number) => formatPrice(Math.round(dollars * 100));

/** Formats an invoice's amount, such as 'Amount: 9 $'; other currencies are shown by their code. */
export function formatAmount({ amount, currency }: Pick<Invoice, "amount" | "currency">): string {
  const number = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  return `Amount: ${number} ${currency === "USD" ? "$" : currency}`;
}

export const splitFeatures = (features: string) =>
  features
    .split("*")
    .map((feature) => feature.trim())
    .filter(Boolean);

export function formatDay(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });
}

const slowest = planById("basic").minimumMinutes;

/** Lists what a move to Basic would pause or slow down, one line each. */
export function describeLosses({
  inactiveJobs,
  slowedJobs,
  pausedTriggers,
  pausedChannels,
}: BillingState["onBasic"]): string[] {
  const countLine = (count: number, one: string, many: string) =>
    count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  return [
    ...countLine(
      inactiveJobs,
      "job over the limit becomes inactive; the oldest keep running",
      "jobs over the limit become inactive; the oldest keep running",
    ),
    ...countLine(
      slowedJobs,
      `job is checked every ${slowest} minutes`,
      `jobs are checked every ${slowest} minutes`,
    ),
    ...countLine(pausedTriggers, "HTTP trigger pauses", "HTTP triggers pause"),
    ...(pausedChannels.length > 0
      ? [`${new Intl.ListFormat("en-US").format(pausedChannels)} alerts pause; email alerts continue`]
      : []),
  ];
}
