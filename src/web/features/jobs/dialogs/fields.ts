import { bodyTypeOf } from "#contract/body-type.ts";
import type { ChannelId } from "#contract/channels.ts";
import type { GroupSettings, JobUpdate, NewJob, PageRequest, TellFailures, Trigger } from "#contract/job.ts";
import { type Plan, plans } from "#contract/plans.ts";
import type { Timetable } from "#contract/timetable.ts";
import type { AlertIf } from "#detection/condition.ts";
import type { Follow } from "#detection/follow.ts";
import { checkBody } from "./check-body.ts";
import { type ConditionField, checkCondition, conditionField, conditionsOf } from "./condition-fields.ts";

// The contract has these too, but its schemas are not sent to the browser.
export const maximumHeaders = 10;
export const methods = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
] as const satisfies readonly Trigger["method"][];

export type HeaderField = { name: string; value: string };

/** A job as the form holds it: text everywhere, lists one a line. */
export type JobFields = {
  name: string;
  url: string;
  groupId: string;
  frequency: string;
  headers: HeaderField[];
  selector: string;
  awaited: boolean;
  waitSelector: string;
  waitSeconds: string;
  ignore: string;
  triggerUrl: string;
  triggerMethod: Trigger["method"];
  triggerBody: string;
  triggerStrings: string;
  triggerHeaders: HeaderField[];
  lookupStrings: string;
  lookupWhen: "appears" | "disappears";
  /** "group": as the group says. */
  scheduleKind: "group" | "always" | "week" | "cron";
  /** The group has a timetable, which "always" overrides. */
  isScheduled: boolean;
  scheduleZone: string;
  scheduleWeek: number[][];
  scheduleCron: string;
  requestMethod: PageRequest["method"];
  requestAs: PageRequest["as"];
  requestBody: string;
  userAgent: string;
  language: string;
  failDown: FailureLimit;
  failGone: FailureLimit;
  /** None of the account's is all of them, or what the group says. */
  channels: ChannelId[];
  /** Every change is told, whatever the group says. */
  alertAll: boolean;
  alertMatch: AlertIf["match"];
  conditions: ConditionField[];
  values: Follow[];
};

/** "" is what is usual. */
export type FailureLimit = "" | "1" | "3" | "10";

type Lists = "conditions" | "values";
/** What is wrong, by field; of a list also in which of its rows. */
export type Problems = Partial<Record<keyof JobFields, string>> & { rows?: Partial<Record<Lists, number>> };

export function emptyFields(groupId: string, plan: Plan): JobFields {
  return {
    name: "",
    url: "",
    groupId,
    frequency: String(plan.minimumMinutes),
    headers: [],
    selector: "",
    awaited: false,
    waitSelector: "",
    waitSeconds: "",
    ignore: "",
    triggerUrl: "",
    triggerMethod: "POST",
    triggerBody: "",
    triggerStrings: "",
    triggerHeaders: [],
    lookupStrings: "",
    lookupWhen: "appears",
    scheduleKind: "group",
    isScheduled: false,
    scheduleZone: ownZone(),
    scheduleWeek: emptyWeek(),
    scheduleCron: "",
    requestMethod: "GET",
    requestAs: "form",
    requestBody: "",
    userAgent: "",
    language: "",
    failDown: "",
    failGone: "",
    channels: [],
    alertAll: false,
    alertMatch: "all",
    conditions: [],
    values: [],
  };
}

/**
 * The fields without what may be secret: header values, and of the trigger its address and body too, since
 * whoever holds a webhook's address may call it.
 */
export function withoutSecrets(fields: JobFields): JobFields {
  const names = (headers: HeaderField[]) => headers.map(({ name }) => ({ name, value: "" }));
  return {
    ...fields,
    headers: names(fields.headers),
    triggerHeaders: names(fields.triggerHeaders),
    triggerUrl: "",
    triggerBody: "",
    requestBody: "",
  };
}

type Kept = {
  name: string;
  url: string;
  groupId: string;
  frequencyMinutes: number;
  headers: HeaderField[];
  selector: string | null;
  awaited: boolean;
  waitFor: { selector?: string | undefined; seconds?: number | undefined } | null;
  ignore: string[];
  trigger: Trigger | null;
  lookup: { strings: string[]; when: "appears" | "disappears" } | null;
  schedule: Timetable | null;
  tellFailures: TellFailures | null;
  request: PageRequest | null;
  channels: ChannelId[] | null;
  inherited: Pick<GroupSettings, "schedule"> | null;
  alertIf: AlertIf | null;
  values: Follow[];
};

export function fieldsOf(job: Kept): JobFields {
  return {
    name: job.name,
    url: job.url,
    groupId: job.groupId,
    frequency: String(job.frequencyMinutes),
    headers: job.headers,
    selector: job.selector ?? "",
    awaited: job.awaited,
    waitSelector: job.waitFor?.selector ?? "",
    waitSeconds: job.waitFor?.seconds ? String(job.waitFor.seconds) : "",
    ignore: job.ignore.join("\n"),
    triggerUrl: job.trigger?.url ?? "",
    triggerMethod: job.trigger?.method ?? "POST",
    triggerBody: job.trigger?.body ?? "",
    triggerStrings: job.trigger?.strings.join("\n") ?? "",
    triggerHeaders: job.trigger?.headers ?? [],
    lookupStrings: job.lookup?.strings.join("\n") ?? "",
    lookupWhen: job.lookup?.when ?? "appears",
    scheduleKind: scheduleKindOf(job),
    isScheduled: Boolean(job.inherited?.schedule),
    scheduleZone: job.schedule?.zone ?? ownZone(),
    scheduleWeek: job.schedule?.week ?? emptyWeek(),
    scheduleCron: job.schedule?.cron ?? "",
    requestMethod: job.request?.method ?? "GET",
    requestAs: job.request?.as ?? "form",
    requestBody: job.request?.body ?? "",
    userAgent: job.request?.userAgent ?? "",
    language: job.request?.language ?? "",
    failDown: job.tellFailures ? (String(job.tellFailures.down) as FailureLimit) : "",
    failGone: job.tellFailures ? (String(job.tellFailures.gone) as FailureLimit) : "",
    channels: job.channels ?? [],
    alertAll: job.alertIf?.conditions.length === 0,
    alertMatch: job.alertIf?.match ?? "all",
    conditions: (job.alertIf?.conditions ?? []).map(conditionField),
    values: job.values,
  };
}

export const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
const given = (headers: HeaderField[]) => headers.filter(({ name, value }) => name.trim() || value.trim());

/** The fields as the calls take them. */
export function inputOf(fields: JobFields): NewJob & JobUpdate {
  const lookup = linesOf(fields.lookupStrings);
  return {
    name: fields.name,
    url: fields.url.trim(),
    groupId: fields.groupId,
    frequency: Number(fields.frequency),
    headers: given(fields.headers),
    selector: fields.selector.trim() || null,
    awaited: fields.awaited && fields.selector.trim() !== "",
    waitFor: waitOf(fields),
    ignore: linesOf(fields.ignore),
    trigger: fields.triggerUrl.trim()
      ? {
          url: fields.triggerUrl.trim(),
          method: fields.triggerMethod,
          body: fields.triggerBody,
          strings: linesOf(fields.triggerStrings),
          headers: given(fields.triggerHeaders),
        }
      : null,
    lookup: lookup.length > 0 ? { strings: lookup, when: fields.lookupWhen } : null,
    schedule: timetableOf(fields),
    request: requestOf(fields),
    tellFailures:
      fields.failDown || fields.failGone
        ? { down: limitOf(fields.failDown), gone: limitOf(fields.failGone) }
        : null,
    channels: fields.channels.length > 0 ? fields.channels : null,
    alertIf:
      conditionsOf(fields.alertMatch, fields.conditions) ??
      (fields.alertAll ? { match: "all", conditions: [] } : null),
    values: fields.values.map(({ name, by, rule }) => ({ name: name.trim(), by, rule })),
  };
}

function waitOf({ waitSelector, waitSeconds }: JobFields): JobUpdate["waitFor"] {
  const selector = waitSelector.trim();
  const seconds = Number(waitSeconds);
  if (!selector && !seconds) return null;
  return { ...(selector ? { selector } : {}), ...(seconds ? { seconds } : {}) };
}

/** How the page is asked for; null for a plain GET. */
function requestOf(fields: JobFields): PageRequest | null {
  const { requestMethod: method, requestAs: as } = fields;
  const [userAgent, language] = [fields.userAgent.trim(), fields.language.trim()];
  if (method === "GET" && !userAgent && !language) return null;
  return { method, as, body: method === "GET" ? "" : fields.requestBody, userAgent, language };
}

const limitOf = (limit: FailureLimit) => (limit === "1" ? 1 : limit === "3" ? 3 : 10);

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const wholeWeek = (): number[][] =>
  Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => hour));

function scheduleKindOf({
  schedule,
  inherited,
}: Pick<Kept, "schedule" | "inherited">): JobFields["scheduleKind"] {
  if (!schedule) return "group";
  if (schedule.cron) return "cron";
  return inherited?.schedule && schedule.week?.flat().length === 168 ? "always" : "week";
}

const emptyWeek = (): number[][] => Array.from({ length: 7 }, () => []);

/** The timetable that the fields say; null where checks are made at any hour. */
export function timetableOf(fields: JobFields): Timetable | null {
  const { scheduleKind: kind, scheduleZone: zone, scheduleWeek: week, scheduleCron: cron } = fields;
  if (kind === "group") return null;
  if (kind === "always") return fields.isScheduled ? { zone, week: wholeWeek() } : null;
  return kind === "week" ? { zone, week } : { zone, cron: cron.trim() };
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** A group's settings as the form of a job holds them. */
export function fieldsOfGroup(groupId: string, settings: GroupSettings, plan: Plan): JobFields {
  const none = inputOf(emptyFields(groupId, plan));
  return fieldsOf({
    ...none,
    ...settings,
    frequencyMinutes: plan.minimumMinutes,
    headers: settings.headers,
    awaited: false,
    waitFor: null,
    trigger: null,
    lookup: null,
    request: null,
    inherited: null,
    values: [],
  });
}

/** What of the fields a group hands down. */
export function groupInputOf(fields: JobFields): GroupSettings {
  const {
    headers = [],
    selector = null,
    ignore = [],
    alertIf = null,
    schedule = null,
    tellFailures = null,
    channels = null,
  } = inputOf(fields);
  return { headers, selector, ignore, alertIf, schedule, tellFailures, channels };
}

/** What is wrong with the fields, each by its name. The server checks all of it again. */
export function checkFields(fields: JobFields, plan: Plan): Problems {
  const problems: Problems = {};
  if (fields.name.trim() === "") problems.name = "Give the job a name.";
  else if (Array.from(fields.name.trim()).length > 120) problems.name = "At most 120 characters.";
  const url = checkUrl(fields.url);
  if (url) problems.url = url;
  if (!fields.groupId) problems.groupId = "Choose a group.";
  const minutes = Number(fields.frequency);
  if (!Number.isInteger(minutes) || minutes < 1) problems.frequency = "Whole minutes, from 1.";
  else if (minutes < plan.minimumMinutes) problems.frequency = tooOften(plan, minutes);
  else if (minutes > 43_200) problems.frequency = "At most 43,200 minutes, which is 30 days.";
  for (const list of ["headers", "triggerHeaders"] as const) {
    const headers = given(fields[list]);
    const wrong = headers.find(({ name }) => !token.test(name.trim()));
    if (wrong)
      problems[list] = wrong.name ? `“${wrong.name}” is not a header name.` : "A header needs a name.";
    else if (headers.length > maximumHeaders) problems[list] = `At most ${maximumHeaders} headers.`;
  }
  const seconds = Number(fields.waitSeconds);
  if (fields.waitSeconds.trim() && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= 15))
    problems.waitSeconds = "Whole seconds, from 1 to 15.";
  checkLists(fields, problems);
  if (fields.scheduleKind === "week" && fields.scheduleWeek.every((hours) => hours.length === 0))
    problems.scheduleWeek = "Choose at least one hour.";
  if (fields.scheduleKind === "cron" && fields.scheduleCron.trim() === "")
    problems.scheduleCron = "Which line? As 0 9 * * 1-5.";
  const hasTrigger = fields.triggerUrl.trim() !== "";
  if (hasTrigger) {
    const trigger = checkUrl(fields.triggerUrl.replace(/\{\{[\s\w.]+\}\}/g, "x"));
    if (trigger) problems.triggerUrl = trigger;
    const body = bodyTypeOf(fields.triggerHeaders) === "json" ? checkBody(fields.triggerBody) : undefined;
    if (body) problems.triggerBody = body;
  } else if (fields.triggerBody.trim() || fields.triggerStrings.trim() || given(fields.triggerHeaders).length)
    problems.triggerUrl = "Without a URL nothing is sent.";
  return problems;
}

/** Finds the first row of each list that says nothing, or nothing that can be meant. */
function checkLists({ conditions, values }: JobFields, problems: Problems): void {
  const names = values.map(({ name }) => name.trim());
  const find = <T>(list: Lists, rows: T[], check: (row: T, at: number) => string | undefined) => {
    const at = rows.findIndex((row, i) => check(row, i) !== undefined);
    const row = rows[at];
    if (row === undefined) return;
    problems[list] = check(row, at);
    problems.rows = { ...problems.rows, [list]: at };
  };
  find("conditions", conditions, (row) => checkCondition(row, names));
  find("values", values, ({ name, by, rule }, at) => {
    if (name.trim() === "") return "Give it a name, as price.";
    if (!/^[a-z]\w{0,29}$/i.test(name.trim())) return "Letters, digits and underscores, a letter first.";
    if (names.indexOf(name.trim()) !== at) return "Two have the same name.";
    return (by === "selector" || by === "pattern") && rule.trim() === "" ? "Where does it stand?" : undefined;
  });
}

/** What is wrong with what a group would hand down. */
export function checkGroupFields(fields: JobFields): Problems {
  const { scheduleWeek, scheduleCron, conditions, headers, rows } = checkFields(
    { ...fields, name: "group", url: "https://group.example/", frequency: "1440" },
    plans[0],
  );
  const problems = { scheduleWeek, scheduleCron, conditions, headers, rows };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

function tooOften(plan: Plan, minutes: number): string {
  const limit = `The ${plan.name} plan checks every ${plan.minimumMinutes} minutes at most.`;
  const other = plans.find(({ minimumMinutes }) => minimumMinutes <= minutes);
  return other ? `${limit} ${other.name} checks every ${other.minimumMinutes}.` : limit;
}

const places: [path: string, name: keyof JobFields][] = [
  ["name", "name"],
  ["url", "url"],
  ["groupId", "groupId"],
  ["frequency", "frequency"],
  ["headers", "headers"],
  ["selector", "selector"],
  ["waitFor.selector", "waitSelector"],
  ["waitFor.seconds", "waitSeconds"],
  ["ignore", "ignore"],
  ["trigger.url", "triggerUrl"],
  ["trigger.body", "triggerBody"],
  ["trigger.strings", "triggerStrings"],
  ["trigger.headers", "triggerHeaders"],
  ["lookup", "lookupStrings"],
  ["schedule.zone", "scheduleZone"],
  ["schedule.week", "scheduleWeek"],
  ["schedule.cron", "scheduleCron"],
  ["channels", "channels"],
  ["request.method", "requestMethod"],
  ["request.as", "requestAs"],
  ["request.body", "requestBody"],
  ["request.userAgent", "userAgent"],
  ["request.language", "language"],
  ["tellFailures.down", "failDown"],
  ["tellFailures.gone", "failGone"],
  ["alertIf", "conditions"],
  ["values", "values"],
];

/** The field that holds the part of the input which the server names. */
export function fieldAt(path: string): keyof JobFields | undefined {
  return places.find(([start]) => path === start || path.startsWith(`${start}.`))?.[1];
}

/** The row of a list that the server names. */
export function rowAt(path: string): number | undefined {
  const row = /^(?:alertIf\.conditions|values)\.(\d+)/.exec(path)?.[1];
  return row === undefined ? undefined : Number(row);
}

function checkUrl(text: string): string | undefined {
  const url = text.trim();
  if (url === "") return "Which address?";
  if (!/^https?:\/\//i.test(url)) return "Start with http:// or https://.";
  if (!URL.canParse(url)) return "This is not an address.";
  return undefined;
}
