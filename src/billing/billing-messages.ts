import type { Loss } from "#contract/billing.ts";
import type { Severity } from "#contract/job.ts";
import { noticeSeverity } from "#contract/notice-severity.ts";
import { formatDay } from "#mail/format-time.ts";
import { type MailContent, renderMailContent } from "#mail/mail-templates.ts";
import { formatPrice, type Plan } from "#plans/plans.ts";

/** One billing message, for a mail and for the notifications. */
export type News = { severity: Severity; subject: string; paragraphs: string[] };

export function renderBillingMail(baseUrl: string, firstname: string, news: News): MailContent {
  return renderMailContent({
    subject: news.subject,
    paragraphs: [`Hello ${firstname},`, ...news.paragraphs],
    button: { label: "Plan and billing", url: `${baseUrl}/dashboard?view=billing` },
  });
}

const note = "Nothing is deleted: if you upgrade again, everything comes back as it was.";

export function upgraded(plan: Plan, restoredJobs: number): News {
  return {
    severity: noticeSeverity.upgraded,
    subject: `You are on the ${plan.name} plan`,
    paragraphs: [
      `The ${plan.name} plan is active now, for ${formatPrice(plan.priceCents)} a month until you cancel.`,
      ...(restoredJobs > 0
        ? [`${count(restoredJobs, "inactive job")} ${restoredJobs === 1 ? "is" : "are"} active again.`]
        : []),
    ],
  };
}

export function downgraded(plan: Plan, loss: Loss): News {
  return {
    severity: noticeSeverity.downgraded,
    subject: `You are on the ${plan.name} plan now`,
    paragraphs: [`Your account has just moved to the ${plan.name} plan.`, ...consequences(loss, "now"), note],
  };
}

export function cancelled(from: Plan, end: Date, loss: Loss): News {
  return {
    severity: noticeSeverity.cancelled,
    subject: `Your ${from.name} plan ends on ${formatDay(end)}`,
    paragraphs: [
      `You canceled the ${from.name} plan. It stays yours until ${formatDay(end)} and is not billed again; then your account moves to Basic.`,
      ...consequences(loss, "then"),
      `${note} Until then you can undo the cancellation.`,
    ],
  };
}

export function resumed(plan: Plan, renewal: Date | null): News {
  return {
    severity: noticeSeverity.resumed,
    subject: `Your ${plan.name} plan continues`,
    paragraphs: [
      `You resumed your subscription.${renewal ? ` The plan renews on ${formatDay(renewal)}.` : " The plan renews as before."}`,
    ],
  };
}

export function paymentFailed(plan: Plan, end: Date, loss: Loss): News {
  return {
    severity: noticeSeverity.paymentFailed,
    subject: `The payment for your ${plan.name} plan failed`,
    paragraphs: [
      `We could not collect ${formatPrice(plan.priceCents)}. You keep the ${plan.name} plan until ${formatDay(end)}; pay before that and nothing changes.`,
      ...consequences(loss, "then"),
      note,
    ],
  };
}

export function paymentReceived(plan: Plan): News {
  return {
    severity: noticeSeverity.paymentReceived,
    subject: `The payment for your ${plan.name} plan arrived`,
    paragraphs: [`Thank you. The ${plan.name} plan continues without interruption.`],
  };
}

export function endingSoon(plan: Plan, end: Date, isUnpaid: boolean, loss: Loss): News {
  const cause = isUnpaid
    ? "The last payment failed and is still open; pay it to keep the plan."
    : "You canceled it; you can still undo that.";
  return {
    severity: noticeSeverity.planEndsSoon,
    subject: `Your ${plan.name} plan ends on ${formatDay(end)}`,
    paragraphs: [
      `On ${formatDay(end)} your account moves to Basic. ${cause}`,
      ...consequences(loss, "then"),
      note,
    ],
  };
}

/** What a smaller plan means for this account, in sentences. */
function consequences(loss: Loss, when: "now" | "then"): string[] {
  const { inactiveJobs, slowedJobs, pausedTriggers, pausedChannels } = loss;
  const parts = [
    inactiveJobs > 0 &&
      `${count(inactiveJobs, "job")} over the limit ${verb(inactiveJobs)} inactive, the oldest keep running`,
    slowedJobs > 0 && `${count(slowedJobs, "job")} ${verb(slowedJobs)} checked less often`,
    pausedTriggers > 0 && `${count(pausedTriggers, "HTTP trigger")} ${verb(pausedTriggers)} paused`,
    pausedChannels.length > 0 &&
      `${new Intl.ListFormat("en-US").format(pausedChannels)} alerts are paused, email alerts continue`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return [];
  return [`What this ${when === "now" ? "means" : "will mean"}: ${parts.join("; ")}.`];
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const verb = (number: number) => (number === 1 ? "is" : "are");
