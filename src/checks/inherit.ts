import type { ChannelId } from "#contract/channels.ts";
import type { TellFailures } from "#contract/job.ts";
import type { AlertIf } from "#detection/condition.ts";
import type { Rules } from "#detection/rules.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { SecretBox } from "#storage/secret-box.ts";
import { type NamedHeader, openHeaders } from "./open-headers.ts";

type Inheriting = Pick<JobRow, "handed" | "selector" | "ignore" | "alert_if" | "tell_failures" | "channels">;

/** What counts of a job's page: its own part, or its group's; and what both ignore. */
export function rulesOf({
  selector,
  ignore,
  handed,
}: Pick<Inheriting, "handed" | "selector" | "ignore">): Rules {
  const more = (handed.ignore ?? []).filter((entry) => !ignore.includes(entry));
  return { selector: selector ?? handed.selector ?? null, ignore: [...ignore, ...more] };
}

/** What of a job's changes is told: by its own conditions, though they be none, else by its group's. */
export function alertIfOf({ alert_if, handed }: Pick<Inheriting, "alert_if" | "handed">): AlertIf | null {
  return alert_if ?? handed.alertIf ?? null;
}

export function tellFailuresOf({
  tell_failures,
  handed,
}: Pick<Inheriting, "tell_failures" | "handed">): TellFailures | null {
  return tell_failures ?? handed.tellFailures ?? null;
}

export function channelsOfJob({
  channels,
  handed,
}: Pick<Inheriting, "channels" | "handed">): ChannelId[] | null {
  return channels ?? handed.channels ?? null;
}

/** The headers that a job's page is asked with: its group's, and its own, which win. */
export function headersOf(
  secrets: SecretBox,
  job: Pick<JobRow, "id" | "group_id" | "headers_sealed" | "group_headers_sealed">,
): NamedHeader[] {
  return withOwn(openGroupHeaders(secrets, job), openHeaders(secrets, job));
}

export function withOwn(handed: NamedHeader[], own: NamedHeader[]): NamedHeader[] {
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  return [...handed.filter(({ name }) => !names.has(name.toLowerCase())), ...own];
}

export function openGroupHeaders(
  secrets: SecretBox,
  { group_id, group_headers_sealed }: Pick<JobRow, "group_id" | "group_headers_sealed">,
): NamedHeader[] {
  return group_headers_sealed
    ? JSON.parse(secrets.open(group_headers_sealed, `group-headers:${group_id}`))
    : [];
}
