import { type ChannelId, channels, hasChannel, plansWithChannel } from "#channels/channel-list.ts";
import { AppError } from "#contract/errors.ts";
import type { Plan } from "./plans.ts";

/** Refuses a channel that the plan doesn't include, and names the plan that does. */
export function assertInPlan(plan: Plan, id: ChannelId): void {
  if (hasChannel(plan, id)) return;
  throw new AppError(
    "PLAN_LIMIT_REACHED",
    `The ${plan.name} plan allows no ${channels[id].name} alerts. The ${plansWithChannel(id)[0]?.name} plan allows them.`,
  );
}
