import { type ChannelId, channelIds, channels, hasChannel } from "#channels/channel-list.ts";
import type { Plan } from "./plans.ts";

const list = new Intl.ListFormat("en-GB");
const nameOf = (id: ChannelId) => channels[id].name;
const alertsBy = (id: ChannelId) => `${nameOf(id)} alerts`;
/** The channels that distinguish the plans have their own line. */
const highlighted = new Set<ChannelId>(["email", "telegram", "discord"]);
const others = channelIds.filter((id) => !highlighted.has(id));

/** What a plan includes, one line per feature; the API joins the lines with asterisks. */
export function planFeatures(plan: Plan): string[] {
  const minutes = plan.minimumMinutes;
  return [
    plan.groups === 1 ? "1 group" : `Up to ${plan.groups} groups`,
    plan.jobs === null ? `Up to ${plan.jobsPerGroup} jobs per group` : `${plan.jobs} jobs`,
    `Checks every ${minutes} minutes or slower`,
    `Whole sites of up to ${plan.sitePages.toLocaleString("en")} pages`,
    plan.triggers === null ? "HTTP trigger on any job" : `${plan.triggers} HTTP trigger`,
    "Screenshots and HTML diff",
    "Steps before the capture",
    ...channelIds.filter((id) => hasChannel(plan, id) && highlighted.has(id)).map(alertsBy),
    ...(others.some((id) => hasChannel(plan, id)) ? [`${list.format(others.map(nameOf))} alerts`] : []),
    ...(plan.identities ? ["Identities: pages behind a sign-in"] : []),
    ...(plan.textLookup ? ["Text lookup"] : []),
    ...(plan.reports ? ["Report generation"] : []),
    `History kept for ${plan.retentionDays} days`,
  ];
}
