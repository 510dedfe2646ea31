import { type ChannelId, channels, hasChannel, plansWith } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import type { Plan } from "#contract/plans.ts";

/** Refuses a channel that the plan does not have, and says which plan does. */
export function assertInPlan(plan: Plan, id: ChannelId): void {
  if (hasChannel(plan, id)) return;
  throw new AppError(
    "PLAN_LIMIT_REACHED",
    `The ${plan.name} plan allows no ${channels[id].name} alerts. The ${plansWith(id)[0]?.name} plan allows them.`,
  );
}
