import { formatPrice, planById } from "#contract/plans.ts";
import type { BillingState, Invoice } from "./use-billing.ts";

/** '0$', '9$'. */
export const priceOf = (dollars: number) => formatPrice(Math.round(dollars * 100));

/** 'Amount: 9 $'; another currency by its code. */
export function amountOf({ amount, currency }: Pick<Invoice, "amount" | "currency">): string {
  const number = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  return `Amount: ${number} ${currency === "USD" ? "$" : currency}`;
}

export const featuresOf = (features: string) =>
  features
    .split("*")
    .map((feature) => feature.trim())
    .filter(Boolean);

export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });
}

const slowest = planById("basic").minimumMinutes;

/** What a move to Basic would put to rest, one line each. */
export function lossOf({
  inactiveJobs,
  slowedJobs,
  pausedTriggers,
  pausedChannels,
}: BillingState["onBasic"]): string[] {
  const say = (count: number, one: string, many: string) =>
    count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  return [
    ...say(
      inactiveJobs,
      "job over the limit becomes inactive; the oldest keep running",
      "jobs over the limit become inactive; the oldest keep running",
    ),
    ...say(
      slowedJobs,
      `job is checked every ${slowest} minutes`,
      `jobs are checked every ${slowest} minutes`,
    ),
    ...say(pausedTriggers, "HTTP trigger pauses", "HTTP triggers pause"),
    ...(pausedChannels.length > 0
      ? [`${new Intl.ListFormat("en-GB").format(pausedChannels)} alerts pause; e-mail alerts go on`]
      : []),
  ];
}

const units = ["bytes", "KiB", "MiB", "GiB"];

export function bytesOf(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const number = bytes / 1024 ** step;
  return `${number < 10 && step > 0 ? number.toFixed(1).replace(/\.0$/, "") : Math.round(number)} ${units[step]}`;
}
