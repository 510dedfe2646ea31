import { type MailContent, renderLetter } from "#accounts/mail-templates.ts";
import type { Loss } from "#contract/billing.ts";
import { formatPrice, type Plan } from "#contract/plans.ts";

/** One piece of news, for the mailbox and for the feed. */
export type News = { severity: "info" | "notice" | "important"; subject: string; paragraphs: string[] };

export function renderBillingMail(baseUrl: string, firstname: string, news: News): MailContent {
  return renderLetter({
    subject: news.subject,
    paragraphs: [`Hello ${firstname},`, ...news.paragraphs],
    button: { label: "Plan and billing", url: `${baseUrl}/dashboard?view=billing` },
  });
}

const kept = "Nothing is deleted: a larger plan brings everything back as it was.";

export function upgraded(plan: Plan, restoredJobs: number): News {
  return {
    severity: "info",
    subject: `You are on the ${plan.name} plan`,
    paragraphs: [
      `The ${plan.name} plan is active from now on, for ${formatPrice(plan.priceCents)} a month until you cancel.`,
      ...(restoredJobs > 0
        ? [`${count(restoredJobs, "job")} that rested ${restoredJobs === 1 ? "is" : "are"} back at work.`]
        : []),
    ],
  };
}

export function downgraded(plan: Plan, loss: Loss): News {
  return {
    severity: "important",
    subject: `You are on the ${plan.name} plan now`,
    paragraphs: [`Your account moved to the ${plan.name} plan just now.`, ...consequences(loss, "now"), kept],
  };
}

export function cancelled(from: Plan, end: Date, loss: Loss): News {
  return {
    severity: "notice",
    subject: `Your ${from.name} plan ends on ${day(end)}`,
    paragraphs: [
      `You cancelled the ${from.name} plan. It stays yours until ${day(end)} and is not billed again; then your account moves to Basic.`,
      ...consequences(loss, "then"),
      `${kept} Until then you can take the cancellation back.`,
    ],
  };
}

export function resumed(plan: Plan, renewal: Date | null): News {
  return {
    severity: "info",
    subject: `Your ${plan.name} plan goes on`,
    paragraphs: [
      `You took the cancellation back.${renewal ? ` The plan renews on ${day(renewal)}.` : " The plan renews as before."}`,
    ],
  };
}

export function paymentFailed(plan: Plan, end: Date, loss: Loss): News {
  return {
    severity: "important",
    subject: `The payment for your ${plan.name} plan failed`,
    paragraphs: [
      `We could not collect ${formatPrice(plan.priceCents)}. You keep the ${plan.name} plan until ${day(end)}; pay before that and nothing changes.`,
      ...consequences(loss, "then"),
      kept,
    ],
  };
}

export function paymentReceived(plan: Plan): News {
  return {
    severity: "info",
    subject: `The payment for your ${plan.name} plan arrived`,
    paragraphs: [`Thank you. The ${plan.name} plan goes on without a break.`],
  };
}

export function endingSoon(plan: Plan, end: Date, isUnpaid: boolean, loss: Loss): News {
  const way = isUnpaid
    ? "The last payment failed and is still open; pay it to keep the plan."
    : "You cancelled it; you can still take that back.";
  return {
    severity: "important",
    subject: `Your ${plan.name} plan ends on ${day(end)}`,
    paragraphs: [`On ${day(end)} your account moves to Basic. ${way}`, ...consequences(loss, "then"), kept],
  };
}

/** What a smaller plan means for this very account, in sentences. */
function consequences(loss: Loss, when: "now" | "then"): string[] {
  const { inactiveJobs, slowedJobs, pausedTriggers, pausedChannels } = loss;
  const parts = [
    inactiveJobs > 0 &&
      `${count(inactiveJobs, "job")} over the limit ${verb(inactiveJobs)} inactive, the oldest keep running`,
    slowedJobs > 0 && `${count(slowedJobs, "job")} ${verb(slowedJobs)} checked less often`,
    pausedTriggers > 0 && `${count(pausedTriggers, "HTTP trigger")} ${verb(pausedTriggers)} paused`,
    pausedChannels.length > 0 &&
      `${new Intl.ListFormat("en-GB").format(pausedChannels)} alerts are paused, e-mail alerts go on`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return [];
  return [`What that ${when === "now" ? "means" : "will mean"}: ${parts.join("; ")}.`];
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const verb = (number: number) => (number === 1 ? "is" : "are");

function day(date: Date): string {
  return date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
