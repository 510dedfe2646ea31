import { AppError } from "#contract/errors.ts";
import type { Trigger } from "#contract/job.ts";
import type { SettingsInput } from "#contract/job-settings.ts";
import { toPageUrl } from "#contract/page-url.ts";
import type { NamedHeader } from "#contract/setting-shapes.ts";
import { normalizeWords } from "#detection/selectors-and-ignore-rules/normalize-words.ts";
import { fillDates, refuseDates } from "#message-templates/fill-dates.ts";
import { fillTemplate, followedValuesIn, sampleValues } from "#message-templates/template.ts";
import { refuseTrigger } from "#message-templates/trigger-template.ts";
import { refuseTimetable, type Timetable } from "#scheduling/timetable.ts";
import type { GroupRow } from "#storage/groups.ts";
import { readSetting } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { Deps, Header } from "./deps.ts";

export function openTrigger(
  secrets: Deps["secrets"],
  job: Pick<JobRow, "id" | "trigger_sealed">,
): Trigger | null {
  return readSetting(secrets, job, "trigger");
}

/** Whether every compared part is ignored, or with "some", at least one of them. */
export function leavesNothing(
  selector: string | null,
  ignore: string[],
  how: "every" | "some" = "every",
): boolean {
  const parts = (selector ?? "").split("\n").map(normalizeWords).filter(Boolean);
  const dropped = ignore.map(normalizeWords);
  return parts.length > 0 && parts[how]((part) => dropped.includes(part));
}

/** Refuses rules of a job that leave nothing to compare, alone or together with its group's. */
export function assertSomethingLeft(
  { selector, ignore = [], notInherited }: Pick<SettingsInput, "selector" | "ignore" | "notInherited">,
  { handed }: Pick<GroupRow, "handed">,
): void {
  const chosen = selector?.trim() || (notInherited?.selector ? null : handed.selector) || null;
  const inheritedIgnore = (handed.ignore ?? []).filter((rule) => !notInherited?.ignore.includes(rule));
  if (!leavesNothing(chosen, [...ignore, ...inheritedIgnore])) return;
  const at = ignore.findIndex((entry) => leavesNothing(chosen, [entry], "some"));
  const cause = leavesNothing(chosen, inheritedIgnore) ? "the group ignores it" : "it is ignored";
  throw new AppError("INVALID_INPUT", `Nothing would be left: only “${chosen}” is compared, and ${cause}.`, {
    field: at < 0 ? "selector" : `ignore.${at}`,
  });
}

/** Refuses a timetable that never comes or can't be read. */
export function assertTimetable(schedule: Timetable): void {
  const refused = refuseTimetable(schedule, new Date());
  if (refused) throw new AppError("INVALID_INPUT", refused.reason, { field: `schedule.${refused.field}` });
}

export function assertHeaders(
  { refuseHeaders }: Pick<Deps, "refuseHeaders">,
  headers: NamedHeader[],
  field: string,
): void {
  const reason = refuseHeaders(headers.map(({ name, value }): Header => [name, value]));
  if (reason) throw new AppError("INVALID_INPUT", reason, { field });
}

const noUserInfo =
  "The URL contains a user name or a password, which would be visible in alerts and links. Remove them, and use an identity for a sign-in form, or a request header for HTTP authentication: Authorization, with Basic and both in Base64.";

/** Refuses a page that the network guard would block, with the guard's reason; returns its URL. */
export async function assertTarget(
  { refuseTarget }: Pick<Deps, "refuseTarget">,
  typed: string,
): Promise<string> {
  const url = toPageUrl(typed);
  const filled = fillDates(url, new Date());
  // Limits and pauses belong to the host as it was typed. A parser finds it where patterns don't, as in http:///host.
  const isHostFixed = URL.parse(url)?.host === URL.parse(filled)?.host;
  const wrong = isHostFixed ? refuseDates(url) : "The host may not contain a date.";
  if (wrong) throw new AppError("INVALID_INPUT", wrong, { field: "url" });
  const { username, password } = URL.parse(url) ?? {};
  if (username || password) throw new AppError("INVALID_INPUT", noUserInfo, { field: "url" });
  const reason = await refuseTarget(filled);
  if (reason) throw new AppError("TARGET_NOT_ALLOWED", reason, { field: "url" });
  return url;
}

/** Refuses a trigger that couldn't be sent as it is. */
export async function assertTrigger(deps: Pick<Deps, "refuseTarget">, trigger: Trigger): Promise<void> {
  assertTemplate(trigger);
  const reason = await deps.refuseTarget(fillTemplate(trigger.url, sampleValues, "url"));
  if (reason)
    throw new AppError("TARGET_NOT_ALLOWED", `The trigger's URL is refused. ${reason}`, {
      field: "trigger.url",
    });
}

/** Refuses a trigger that uses a value that the job doesn't follow. */
export function assertValues({ url, body }: Trigger, followed: string[]): void {
  for (const [field, text] of Object.entries({ url, body })) {
    const unknown = followedValuesIn(text).find((wanted) => !followed.includes(wanted));
    if (unknown)
      throw new AppError("INVALID_INPUT", `No value named ${unknown} is followed.`, {
        field: `trigger.${field}`,
      });
  }
}

export function assertTemplate(trigger: Trigger): void {
  const refusal = refuseTrigger(trigger);
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: `trigger.${refusal.field}` });
}

/** The name by which a host's limits count. A final dot changes nothing about where requests go. */
export function hostOf(url: string): string {
  return new URL(url).hostname.toLowerCase().replace(/\.$/, "");
}
