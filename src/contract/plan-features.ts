import { channelIds, channels, hasChannel } from "./channels.ts";
import type { Plan } from "./plans.ts";

/** What a plan includes, one line each; the wire joins them with asterisks. */
export function planFeatures(plan: Plan): string[] {
  const minutes = plan.minimumMinutes;
  return [
    plan.groups === 1 ? "1 group" : `Up to ${plan.groups} groups`,
    plan.jobs === null ? `Up to ${plan.jobsPerGroup} jobs per group` : `${plan.jobs} jobs`,
    `Checks every ${minutes} minutes or slower`,
    plan.triggers === null ? "HTTP trigger on any job" : `${plan.triggers} HTTP trigger`,
    "Screenshots and HTML diff",
    ...channelIds.filter((id) => hasChannel(plan, id)).map((id) => `${channels[id].name} alerts`),
    ...(plan.textLookup ? ["Text lookup"] : []),
    ...(plan.reports ? ["Report generation"] : []),
    `History kept for ${plan.retentionDays} days`,
  ];
}
