import { openGroupHeaders } from "#checks/inherit.ts";
import { type NamedHeader, openHeaders } from "#checks/open-headers.ts";
import { openPageRequest } from "#checks/open-request.ts";
import type { ChannelId } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import { fillDates, refuseDates } from "#contract/fill-dates.ts";
import type { GroupSettings, Lookup, PageRequest, TellFailures, Trigger, WaitFor } from "#contract/job.ts";
import { refuseTimetable, type Timetable } from "#contract/timetable.ts";
import { fillUrl, refuseTrigger, samples, valuesIn } from "#delivery/fill-placeholders.ts";
import type { AlertIf } from "#detection/condition.ts";
import { refuseConditions } from "#detection/conditions.ts";
import type { Follow } from "#detection/follow.ts";
import { foldWords, refuseCss } from "#detection/rules.ts";
import type { GroupRow } from "#storage/groups.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { Deps, Header } from "./deps.ts";

/** What stands in an answer where a secret is kept. */
const mask = "••••••••";

const masked = (headers: NamedHeader[]) => headers.map(({ name }) => ({ name, value: mask }));

/** A header sent back as it was shown keeps its value. */
export function unmasked(given: NamedHeader[], kept: NamedHeader[]): NamedHeader[] {
  return given.map((header) => {
    const old = kept.find(({ name }) => name.toLowerCase() === header.name.toLowerCase());
    return header.value === mask && old ? { ...header, value: old.value } : header;
  });
}

export function openTrigger(
  secrets: Deps["secrets"],
  job: Pick<JobRow, "id" | "trigger_sealed">,
): Trigger | null {
  return job.trigger_sealed ? JSON.parse(secrets.open(job.trigger_sealed, `job-trigger:${job.id}`)) : null;
}

/** What a group hands down, without its secrets. */
export function showHanded(
  secrets: Deps["secrets"],
  job: Pick<JobRow, "handed" | "group_id" | "group_headers_sealed" | "group_timetable">,
): GroupSettings {
  const { handed } = job;
  return {
    headers: masked(openGroupHeaders(secrets, job)),
    selector: handed.selector ?? null,
    ignore: handed.ignore ?? [],
    alertIf: handed.alertIf ?? null,
    schedule: job.group_timetable,
    tellFailures: handed.tellFailures ?? null,
    channels: handed.channels ?? null,
  };
}

function showInherited(secrets: Deps["secrets"], job: JobRow): GroupSettings | null {
  const isNone = Object.keys(job.handed).length === 0 && !job.group_headers_sealed && !job.group_timetable;
  return isNone ? null : showHanded(secrets, job);
}

export function showRules(secrets: Deps["secrets"], job: JobRow) {
  const trigger = openTrigger(secrets, job);
  return {
    headers: masked(openHeaders(secrets, job)),
    trigger: trigger && { ...trigger, headers: masked(trigger.headers) },
    lookup: job.lookup,
    selector: job.selector,
    awaited: job.awaited,
    waitFor: job.wait_for,
    ignore: job.ignore,
    schedule: job.timetable,
    tellFailures: job.tell_failures,
    request: openPageRequest(secrets, job),
    channels: job.channels,
    inherited: showInherited(secrets, job),
    alertIf: job.alert_if,
    values: job.follow,
  };
}

export type RulesInput = {
  headers?: NamedHeader[];
  trigger?: Trigger | null;
  lookup?: Lookup | null;
  selector?: string | null;
  awaited?: boolean;
  waitFor?: WaitFor | null;
  ignore?: string[];
  schedule?: Timetable | null;
  tellFailures?: TellFailures | null;
  request?: PageRequest | null;
  channels?: ChannelId[] | null;
  alertIf?: AlertIf | null;
  values?: Follow[];
};

/**
 * The columns that hold a job's rules, as far as they are given; secrets are bound to the job's row. Selectors and
 * patterns have passed `assertRules` before.
 */
export function sealRules(
  deps: Pick<Deps, "secrets" | "refuseHeaders">,
  id: string,
  input: RulesInput,
  old?: JobRow,
) {
  const seal = (value: unknown, context: string) =>
    deps.secrets.seal(JSON.stringify(value), `${context}:${id}`);
  const columns: {
    headers_sealed?: string | null;
    trigger_sealed?: string | null;
    lookup?: string | null;
    selector?: string | null;
    awaited?: boolean;
    wait_for?: string | null;
    ignore?: string;
    alert_if?: string | null;
    follow?: string;
    timetable?: string | null;
    tell_failures?: string | null;
    request_sealed?: string | null;
    channels?: string | null;
  } = {};
  if (input.headers) {
    const headers = unmasked(input.headers, old ? openHeaders(deps.secrets, old) : []);
    assertHeaders(deps, headers, "headers");
    columns.headers_sealed = headers.length > 0 ? seal(headers, "job-headers") : null;
  }
  if (input.trigger) {
    const kept = old ? openTrigger(deps.secrets, old) : null;
    const trigger = { ...input.trigger, headers: unmasked(input.trigger.headers, kept?.headers ?? []) };
    assertHeaders(deps, trigger.headers, "trigger.headers");
    columns.trigger_sealed = seal(trigger, "job-trigger");
  } else if (input.trigger === null) columns.trigger_sealed = null;
  if (input.lookup !== undefined) columns.lookup = input.lookup && JSON.stringify(input.lookup);
  if (input.selector !== undefined) columns.selector = input.selector?.trim() || null;
  if (input.ignore) columns.ignore = JSON.stringify(input.ignore.map((entry) => entry.trim()));
  if (input.waitFor !== undefined) columns.wait_for = sealWaitFor(input.waitFor);
  if (input.awaited !== undefined) columns.awaited = input.awaited;
  sealConditions(columns, input, old);
  if (input.request !== undefined) {
    assertPageRequest(input.request);
    columns.request_sealed = input.request && seal(input.request, "job-request");
  }
  if (input.channels !== undefined) columns.channels = input.channels && JSON.stringify(input.channels);
  if (input.tellFailures !== undefined)
    columns.tell_failures = input.tellFailures && JSON.stringify(input.tellFailures);
  if (input.schedule !== undefined) columns.timetable = sealTimetable(input.schedule);
  if (input.trigger) {
    const followed = input.values ?? old?.follow ?? [];
    assertValues(
      input.trigger,
      followed.map(({ name }) => name),
    );
  }
  const selector = "selector" in columns ? columns.selector : (old?.selector ?? null);
  if (input.awaited && !selector)
    throw new AppError("INVALID_INPUT", "Say by a selector what is to appear.", { field: "selector" });
  // Without a part of its own there is nothing left to wait for.
  if (!selector && old?.awaited) columns.awaited = false;
  return columns;
}

/** Whether every part that is compared, or some of them, is ignored. */
export function leavesNothing(
  selector: string | null,
  ignore: string[],
  how: "every" | "some" = "every",
): boolean {
  const parts = (selector ?? "").split("\n").map(foldWords).filter(Boolean);
  const dropped = ignore.map(foldWords);
  return parts.length > 0 && parts[how]((part) => dropped.includes(part));
}

/** Refuses rules of a job that leave nothing to compare, by themselves or with its group's. */
export function assertSomethingLeft(
  { selector, ignore = [] }: Pick<RulesInput, "selector" | "ignore">,
  { handed }: Pick<GroupRow, "handed">,
): void {
  const chosen = selector?.trim() || handed.selector || null;
  const of = handed.ignore ?? [];
  if (!leavesNothing(chosen, [...ignore, ...of])) return;
  const at = ignore.findIndex((entry) => leavesNothing(chosen, [entry], "some"));
  const who = leavesNothing(chosen, of) ? "the group ignores it" : "it is ignored";
  throw new AppError("INVALID_INPUT", `Nothing would be left: only “${chosen}” is compared, and ${who}.`, {
    field: at < 0 ? "selector" : `ignore.${at}`,
  });
}

/** What is told, and what it may speak of. */
function sealConditions(
  columns: { alert_if?: string | null; follow?: string },
  { alertIf, values }: RulesInput,
  old?: JobRow,
): void {
  if (values) columns.follow = JSON.stringify(values);
  if (alertIf !== undefined) columns.alert_if = alertIf && JSON.stringify(alertIf);
  const [wanted, follow] = [alertIf === undefined ? old?.alert_if : alertIf, values ?? old?.follow ?? []];
  const wrong =
    wanted &&
    refuseConditions(
      wanted,
      follow.map(({ name }) => name),
    );
  if (wrong) throw new AppError("INVALID_INPUT", wrong.reason, { field: `alertIf.conditions.${wrong.at}` });
}

export function sealTimetable(schedule: Timetable | null): string | null {
  const refused = schedule && refuseTimetable(schedule, new Date());
  if (refused) throw new AppError("INVALID_INPUT", refused.reason, { field: `schedule.${refused.field}` });
  return schedule && JSON.stringify(schedule);
}

function sealWaitFor(waitFor: WaitFor | null): string | null {
  const selector = waitFor?.selector || undefined;
  const reason = selector ? refuseCss(selector) : null;
  if (reason) throw new AppError("INVALID_INPUT", reason, { field: "waitFor.selector" });
  return selector || waitFor?.seconds ? JSON.stringify({ ...waitFor, selector }) : null;
}

export function assertHeaders(
  { refuseHeaders }: Pick<Deps, "refuseHeaders">,
  headers: NamedHeader[],
  field: string,
): void {
  const reason = refuseHeaders(headers.map(({ name, value }): Header => [name, value]));
  if (reason) throw new AppError("INVALID_INPUT", reason, { field });
}

function assertPageRequest(request: PageRequest | null): void {
  if (!request) return;
  const refuse = (reason: string) => {
    throw new AppError("INVALID_INPUT", reason, { field: "request.body" });
  };
  const reason = refuseDates(request.body);
  if (reason) refuse(reason);
  if (request.method === "GET" && request.body.trim() !== "") refuse("Nothing is sent with GET.");
  if (request.method === "GET" || request.as !== "json" || request.body.trim() === "") return;
  try {
    JSON.parse(fillDates(request.body, new Date()));
  } catch {
    refuse("The body is not JSON.");
  }
}

/** Refuses an address the guard would not let us request, with its sentence. */
export async function assertTarget({ refuseTarget }: Pick<Deps, "refuseTarget">, url: string): Promise<void> {
  const wrong = /^[^/?#]*\/\/[^/?#]*\{\{/.test(url.trim())
    ? "The host may not contain a date."
    : refuseDates(url);
  if (wrong) throw new AppError("INVALID_INPUT", wrong, { field: "url" });
  const reason = await refuseTarget(fillDates(url, new Date()));
  if (reason) throw new AppError("TARGET_NOT_ALLOWED", reason, { field: "url" });
}

/** Refuses a trigger that could not be sent as it stands. */
export async function assertTrigger(deps: Pick<Deps, "refuseTarget">, trigger: Trigger): Promise<void> {
  assertTemplate(trigger);
  const reason = await deps.refuseTarget(fillUrl(trigger.url, samples));
  if (reason)
    throw new AppError("TARGET_NOT_ALLOWED", `The trigger's URL is refused. ${reason}`, {
      field: "trigger.url",
    });
}

/** Refuses a trigger that speaks of a value which nobody follows. */
export function assertValues({ url, body }: Trigger, followed: string[]): void {
  for (const [field, text] of Object.entries({ url, body })) {
    const unknown = valuesIn(text).find((wanted) => !followed.includes(wanted));
    if (unknown)
      throw new AppError("INVALID_INPUT", `No value of the name ${unknown} is followed.`, {
        field: `trigger.${field}`,
      });
  }
}

export function assertTemplate(trigger: Trigger): void {
  const refusal = refuseTrigger(trigger);
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: `trigger.${refusal.field}` });
}

export function hostOf(url: string): string {
  return new URL(url).hostname.toLowerCase();
}
