import type { ChannelId } from "#channels/channel-list.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import { bodyTypeOf } from "#contract/body-type.ts";
import type { BrowserSettings } from "#contract/browser-settings.ts";
import type { GroupSettings, Job, JobUpdate, NewJob, PageRequest, Trigger } from "#contract/job.ts";
import type { SettingsInput } from "#contract/job-settings.ts";
import type { PageStep } from "#contract/page-steps.ts";
import { toPageUrl } from "#contract/page-url.ts";
import { takesBody } from "#contract/request-method.ts";
import type { OpinionUse, SecondOpinion } from "#contract/second-opinion.ts";
import type { Follow } from "#detection/followed-values/followed-values.ts";
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { placeholderPattern } from "#message-templates/placeholders.ts";
import { type Plan, plans } from "#plans/plans.ts";
import type { Timetable } from "#scheduling/timetable.ts";
import { maxNamedValues, type NamedValue } from "#web/ui/named-value.ts";
import { checkStep } from "#web/ui/page-steps/step-fields.ts";
import {
  type ConditionField,
  checkCondition,
  toAlertIf,
  toConditionField,
} from "./conditions/condition-fields.ts";
import { checkSite, type SiteFields, siteFieldsOf, siteOf } from "./site-fields.ts";
import { checkBody } from "./trigger/check-body.ts";

// The contract defines these too, but its schemas do not ship to the browser.
export const methods = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
] as const satisfies readonly Trigger["method"][];

/** A job as form state: values as text, lists with one entry per line. */
export type JobFields = SiteFields & {
  name: string;
  note: string;
  /** Separated by commas. */
  tags: string;
  url: string;
  groupId: string;
  frequency: string;
  headers: NamedValue[];
  selector: string;
  awaited: boolean;
  waitSelector: string;
  waitSeconds: string;
  waitText: string;
  waitQuiet: boolean;
  /** Without language and time zone, which are text while they are edited. */
  browser: BrowserSettings;
  browserLanguage: string;
  browserTimeZone: string;
  /** The proxies in their order; an empty list means the group's, or else none. */
  proxies: string[];
  ignore: string;
  /** What a language model is used for; "" is the group's choice, or else nothing. */
  opinionUse: "" | OpinionUse;
  opinionMatters: string;
  /** What the job doesn't inherit: the group's selector, and some of its ignore rules. */
  leavesSelector: boolean;
  leftIgnore: string[];
  /** The job's selector is added to the group's, instead of replacing it. */
  joinsSelector: boolean;
  /** Without any, the group's steps apply. */
  steps: TextStep[];
  /** What is done on the page before the capture; without any, the group's. */
  pageSteps: PageStep[];
  stepSecrets: NamedValue[];
  /** The job does no steps, although its group has some. */
  skipsGroupSteps: boolean;
  /** The id of an identity; "" is the group's, or else none; "none" is none although the group has one. */
  identity: string;
  /** "" is the group's choice, or else no. */
  sharesSignedIn: "" | "yes" | "no";
  /** "" is the group's choice, or else the page. */
  compareAs: "" | "page" | "source";
  triggerUrl: string;
  triggerMethod: Trigger["method"];
  triggerBody: string;
  triggerStrings: string;
  triggerHeaders: NamedValue[];
  lookupStrings: string;
  lookupWhen: "appears" | "disappears";
  /** "group" inherits the group's timetable. */
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
  /** An empty list means the group's channels, or else all of the account's. */
  channels: ChannelId[];
  messageTitle: string;
  messageText: string;
  /** Every change is alerted, overriding the group's conditions. */
  alertAll: boolean;
  alertMatch: AlertIf["match"];
  conditions: ConditionField[];
  values: Follow[];
};

/** "" means the default. */
export type FailureLimit = "" | "1" | "2" | "3" | "10";

type Lists = "conditions" | "values";
/** Problems by field; for lists also the index of the invalid row. */
export type Problems = Partial<Record<keyof JobFields, string>> & { rows?: Partial<Record<Lists, number>> };

/** Checks that are useful for most pages, also where the plan allows more. */
const usualMinutes = 60;

export function emptyFields(groupId: string, { minimumMinutes }: Plan): JobFields {
  const frequencyMinutes = Math.max(usualMinutes, minimumMinutes);
  return fieldsOf({ name: "", url: "", groupId, frequencyMinutes, inherited: null });
}

/**
 * Removes what may be secret: header values, the request's body, and the trigger's URL and body, since anyone
 * who knows a webhook's URL can call it.
 */
export function withoutSecrets(fields: JobFields): JobFields {
  const names = (headers: NamedValue[]) => headers.map(({ name }) => ({ name, value: "" }));
  return {
    ...fields,
    headers: names(fields.headers),
    triggerHeaders: names(fields.triggerHeaders),
    stepSecrets: names(fields.stepSecrets),
    triggerUrl: "",
    triggerBody: "",
    requestBody: "",
  };
}

/** A job as the API shows it; settings may be missing. */
type StoredJob = Pick<Job, "name" | "url" | "groupId" | "frequencyMinutes"> &
  SettingsInput & { inherited: Pick<GroupSettings, "schedule"> | null };

export function fieldsOf(job: StoredJob): JobFields {
  return {
    name: job.name,
    note: job.note ?? "",
    tags: (job.tags ?? []).join(", "),
    url: job.url,
    groupId: job.groupId,
    frequency: String(job.frequencyMinutes),
    headers: job.headers ?? [],
    selector: job.selector ?? "",
    awaited: job.awaited ?? false,
    waitSelector: job.waitFor?.selector ?? "",
    waitSeconds: job.waitFor?.seconds ? String(job.waitFor.seconds) : "",
    waitText: job.waitFor?.text ?? "",
    waitQuiet: job.waitFor?.quiet ?? false,
    browser: withoutTexts(job.browser ?? {}),
    browserLanguage: job.browser?.language ?? "",
    browserTimeZone: job.browser?.timeZone ?? "",
    proxies: job.proxies ?? [],
    opinionUse: job.secondOpinion?.use ?? "",
    opinionMatters: job.secondOpinion?.matters ?? "",
    ignore: job.ignore?.join("\n") ?? "",
    leavesSelector: job.notInherited?.selector ?? false,
    leftIgnore: job.notInherited?.ignore ?? [],
    joinsSelector: job.joinsSelector ?? false,
    steps: job.steps ?? [],
    pageSteps: job.pageSteps ?? [],
    stepSecrets: job.stepSecrets ?? [],
    skipsGroupSteps: job.pageSteps?.length === 0,
    identity: job.identity ?? "",
    sharesSignedIn: typeof job.sharesSignedIn === "boolean" ? (job.sharesSignedIn ? "yes" : "no") : "",
    compareAs: job.compareAs ?? "",
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
    messageTitle: job.message?.title ?? "",
    messageText: job.message?.text ?? "",
    alertAll: job.alertIf?.conditions.length === 0,
    alertMatch: job.alertIf?.match ?? "all",
    conditions: (job.alertIf?.conditions ?? []).map(toConditionField),
    values: job.values ?? [],
    ...siteFieldsOf(job.site),
  };
}

export const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
const given = (headers: NamedValue[]) => headers.filter(({ name, value }) => name.trim() || value.trim());

/** Converts the fields to API input. */
export function toJobInput(fields: JobFields): NewJob & JobUpdate {
  const lookup = linesOf(fields.lookupStrings);
  return {
    name: fields.name,
    note: fields.note.trim() || null,
    tags: tagsOf(fields.tags),
    url: toPageUrl(fields.url),
    groupId: fields.groupId,
    frequency: Number(fields.frequency),
    headers: given(fields.headers),
    selector: fields.selector.trim() || null,
    awaited: fields.awaited && fields.selector.trim() !== "",
    waitFor: waitOf(fields),
    browser: browserOf(fields),
    proxies: fields.proxies.length > 0 ? fields.proxies : null,
    secondOpinion: opinionOf(fields),
    ignore: linesOf(fields.ignore),
    notInherited:
      fields.leavesSelector || fields.leftIgnore.length > 0
        ? { selector: fields.leavesSelector, ignore: fields.leftIgnore }
        : null,
    joinsSelector: fields.joinsSelector && fields.selector.trim() !== "",
    steps: fields.steps.length > 0 ? fields.steps : null,
    pageSteps: fields.pageSteps.length > 0 || fields.skipsGroupSteps ? fields.pageSteps : null,
    stepSecrets: given(fields.stepSecrets),
    identity: fields.identity || null,
    sharesSignedIn: fields.sharesSignedIn === "" ? null : fields.sharesSignedIn === "yes",
    compareAs: fields.compareAs || null,
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
    message:
      fields.messageTitle.trim() || fields.messageText.trim()
        ? { title: fields.messageTitle.trim(), text: fields.messageText }
        : null,
    alertIf:
      toAlertIf(fields.alertMatch, fields.conditions) ??
      (fields.alertAll ? { match: "all", conditions: [] } : null),
    site: siteOf(fields),
    values: fields.values.map(({ name, by, rule }) => ({ name: name.trim(), by, rule })),
  };
}

const tagsOf = (text: string) =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

function waitOf({ waitSelector, waitText, waitQuiet, waitSeconds }: JobFields): JobUpdate["waitFor"] {
  const [selector, text] = [waitSelector.trim(), waitText.trim()];
  const seconds = Number(waitSeconds);
  const given = {
    ...(selector && { selector }),
    ...(text && { text }),
    ...(waitQuiet && { quiet: true }),
    ...(seconds && { seconds }),
  };
  return Object.keys(given).length > 0 ? given : null;
}

function withoutTexts({ ...settings }: BrowserSettings): BrowserSettings {
  delete settings.language;
  delete settings.timeZone;
  return settings;
}

function browserOf({ browser, ...fields }: JobFields): BrowserSettings | null {
  const [language, timeZone] = [fields.browserLanguage.trim(), fields.browserTimeZone.trim()];
  const given = { ...browser, ...(language && { language }), ...(timeZone && { timeZone }) };
  return Object.keys(given).length > 0 ? given : null;
}

function opinionOf({ opinionUse: use, opinionMatters }: JobFields): SecondOpinion | null {
  const matters = opinionMatters.trim();
  return use || matters ? { ...(use && { use }), ...(matters && { matters }) } : null;
}

/** How the page is requested; null for a plain GET. */
function requestOf(fields: JobFields): PageRequest | null {
  const { requestMethod: method, requestAs: as } = fields;
  const [userAgent, language] = [fields.userAgent.trim(), fields.language.trim()];
  if (method === "GET" && !userAgent && !language) return null;
  return { method, as, body: takesBody(method) ? fields.requestBody : "", userAgent, language };
}

const limitOf = (limit: FailureLimit) => (limit === "" ? 2 : (Number(limit) as 1 | 2 | 3 | 10));

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const wholeWeek = (): number[][] =>
  Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => hour));

function scheduleKindOf({
  schedule,
  inherited,
}: Pick<StoredJob, "schedule" | "inherited">): JobFields["scheduleKind"] {
  if (!schedule) return "group";
  if (schedule.cron) return "cron";
  return inherited?.schedule && schedule.week?.flat().length === 168 ? "always" : "week";
}

const emptyWeek = (): number[][] => Array.from({ length: 7 }, () => []);

/** Returns the timetable that the fields describe; null if it is inherited or checks run at any hour. */
export function timetableOf(fields: JobFields): Timetable | null {
  const { scheduleKind: kind, scheduleZone: zone, scheduleWeek: week, scheduleCron: cron } = fields;
  if (kind === "group") return null;
  if (kind === "always") return fields.isScheduled ? { zone, week: wholeWeek() } : null;
  return kind === "week" ? { zone, week } : { zone, cron: cron.trim() };
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Converts a group's defaults to the fields of the job form. */
export function fieldsOfGroup(groupId: string, settings: GroupSettings, plan: Plan): JobFields {
  const { minimumMinutes } = plan;
  return fieldsOf({
    ...settings,
    name: "",
    url: "",
    groupId,
    frequencyMinutes: minimumMinutes,
    inherited: null,
  });
}

/** Picks the fields that a group can set as defaults for its jobs. */
export function toGroupInput(fields: JobFields): GroupSettings {
  const {
    headers = [],
    selector = null,
    ignore = [],
    alertIf = null,
    schedule = null,
    tellFailures = null,
    channels = null,
    message = null,
    browser = null,
    proxies = null,
    secondOpinion = null,
    steps = null,
    compareAs = null,
    pageSteps = null,
    stepSecrets = [],
    identity = null,
    sharesSignedIn = null,
  } = toJobInput(fields);
  return {
    headers,
    selector,
    ignore,
    alertIf,
    schedule,
    tellFailures,
    channels,
    message: message && { title: message.title ?? "", text: message.text ?? "" },
    browser,
    proxies,
    secondOpinion,
    steps,
    compareAs,
    pageSteps,
    stepSecrets,
    identity,
    sharesSignedIn,
  };
}

/** Returns what is wrong, by field name. The server validates everything again. */
export function checkFields(fields: JobFields, plan: Plan): Problems {
  const problems: Problems = {};
  if (Array.from(fields.name.trim()).length > 120) problems.name = "At most 120 characters.";
  if (fields.note.trim().length > 500) problems.note = "At most 500 characters.";
  if (fields.opinionMatters.trim().length > 500) problems.opinionMatters = "At most 500 characters.";
  const tags = tagsOf(fields.tags);
  if (tags.length > 10) problems.tags = "At most 10 tags.";
  if (tags.some((tag) => tag.length > 30)) problems.tags = "A tag has at most 30 characters.";
  Object.assign(problems, checkSite(fields, plan));
  const url = checkUrl(toPageUrl(fields.url));
  if (url) problems.url = url;
  if (!fields.groupId) problems.groupId = "Choose a group.";
  const minutes = Number(fields.frequency);
  if (!Number.isInteger(minutes) || minutes < 1) problems.frequency = "Enter whole minutes, 1 or more.";
  else if (minutes < plan.minimumMinutes) problems.frequency = tooOften(plan, minutes);
  else if (minutes > 43_200) problems.frequency = "At most 43,200 minutes, which is 30 days.";
  for (const list of ["headers", "triggerHeaders"] as const) {
    const headers = given(fields[list]);
    const wrong = headers.find(({ name }) => !token.test(name.trim()));
    if (wrong)
      problems[list] = wrong.name ? `“${wrong.name}” is not a header name.` : "A header needs a name.";
    else if (headers.length > maxNamedValues) problems[list] = `At most ${maxNamedValues} headers.`;
  }
  const seconds = Number(fields.waitSeconds);
  if (fields.waitSeconds.trim() && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= 15))
    problems.waitSeconds = "Enter whole seconds, 1 to 15.";
  const unfinished = fields.pageSteps.findIndex((step) => checkStep(step) !== undefined);
  const unfinishedStep = fields.pageSteps[unfinished];
  if (unfinishedStep) problems.pageSteps = `Step ${unfinished + 1}: ${checkStep(unfinishedStep)}`;
  if (given(fields.stepSecrets).some(({ name }) => !/^[a-z][\w-]{0,39}$/i.test(name)))
    problems.stepSecrets = "Name a secret with letters, digits, _ and -, starting with a letter.";
  checkLists(fields, problems);
  if (fields.scheduleKind === "week" && fields.scheduleWeek.every((hours) => hours.length === 0))
    problems.scheduleWeek = "Choose at least one hour.";
  if (fields.scheduleKind === "cron" && fields.scheduleCron.trim() === "")
    problems.scheduleCron = "Enter a cron line, e.g. 0 9 * * 1-5.";
  const hasTrigger = fields.triggerUrl.trim() !== "";
  if (hasTrigger) {
    const trigger = checkUrl(fields.triggerUrl.replace(placeholderPattern, "x"));
    if (trigger) problems.triggerUrl = trigger;
    const body = bodyTypeOf(fields.triggerHeaders) === "json" ? checkBody(fields.triggerBody) : undefined;
    if (body) problems.triggerBody = body;
  } else if (fields.triggerBody.trim() || fields.triggerStrings.trim() || given(fields.triggerHeaders).length)
    problems.triggerUrl = "Enter a URL: without one, nothing is sent.";
  return problems;
}

/** Reports the first row of each list that is empty or invalid. */
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
    if (name.trim() === "") return "Enter a name, e.g. price.";
    if (!/^[a-z]\w{0,29}$/i.test(name.trim()))
      return "Use letters, digits and underscores, starting with a letter.";
    if (names.indexOf(name.trim()) !== at) return "Two values have the same name.";
    return (by === "selector" || by === "pattern") && rule.trim() === ""
      ? "Enter where to find it."
      : undefined;
  });
}

/** Returns what is wrong with a group's defaults; `names` are the values that its conditions may name. */
export function checkGroupFields(fields: JobFields, names: string[] = []): Problems {
  const { scheduleWeek, scheduleCron, conditions, headers, opinionMatters, pageSteps, stepSecrets, rows } =
    checkFields(
      {
        ...fields,
        name: "group",
        url: "https://group.example/",
        frequency: "1440",
        values: names.map((name) => ({ name, by: "price", rule: "" })),
      },
      plans[0],
    );
  const problems = {
    scheduleWeek,
    scheduleCron,
    conditions,
    headers,
    opinionMatters,
    pageSteps,
    stepSecrets,
    rows,
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
}

function tooOften(plan: Plan, minutes: number): string {
  const limit = `Minimum interval on the ${plan.name} plan: ${plan.minimumMinutes} minutes.`;
  const other = plans.find(({ minimumMinutes }) => minimumMinutes <= minutes);
  return other ? `${limit} On ${other.name}: ${other.minimumMinutes} minutes.` : limit;
}

const fieldPaths: [path: string, name: keyof JobFields][] = [
  ["name", "name"],
  ["note", "note"],
  ["tags", "tags"],
  ["url", "url"],
  ["groupId", "groupId"],
  ["frequency", "frequency"],
  ["headers", "headers"],
  ["selector", "selector"],
  ["waitFor.selector", "waitSelector"],
  ["waitFor.seconds", "waitSeconds"],
  ["waitFor.text", "waitText"],
  ["browser.language", "browserLanguage"],
  ["browser.timeZone", "browserTimeZone"],
  ["browser", "browser"],
  ["proxies", "proxies"],
  ["secondOpinion.use", "opinionUse"],
  ["secondOpinion.matters", "opinionMatters"],
  ["secondOpinion", "opinionUse"],
  ["ignore", "ignore"],
  ["notInherited", "ignore"],
  ["steps", "steps"],
  ["pageSteps", "pageSteps"],
  ["stepSecrets", "stepSecrets"],
  ["identity", "identity"],
  ["sharesSignedIn", "sharesSignedIn"],
  ["compareAs", "compareAs"],
  ["trigger.url", "triggerUrl"],
  ["trigger.body", "triggerBody"],
  ["trigger.strings", "triggerStrings"],
  ["trigger.headers", "triggerHeaders"],
  ["lookup", "lookupStrings"],
  ["schedule.zone", "scheduleZone"],
  ["schedule.week", "scheduleWeek"],
  ["schedule.cron", "scheduleCron"],
  ["channels", "channels"],
  ["message.title", "messageTitle"],
  ["message", "messageText"],
  ["request.method", "requestMethod"],
  ["request.as", "requestAs"],
  ["request.body", "requestBody"],
  ["request.userAgent", "userAgent"],
  ["request.language", "language"],
  ["tellFailures.down", "failDown"],
  ["tellFailures.gone", "failGone"],
  ["site.maxPages", "siteMaxPages"],
  ["site.perSecond", "sitePerSecond"],
  ["site.paths", "sitePaths"],
  ["site.exclude", "siteExclude"],
  ["site.subdomains", "siteSubdomains"],
  ["site.robots", "siteRobots"],
  ["site.scope", "siteScope"],
  ["site", "isSite"],
  ["alertIf", "conditions"],
  ["values", "values"],
];

/** Returns the field that holds the input at the path that the server reported. */
export function fieldAt(path: string): keyof JobFields | undefined {
  return fieldPaths.find(([start]) => path === start || path.startsWith(`${start}.`))?.[1];
}

/** Returns the row index in a path that the server reported. */
export function rowAt(path: string): number | undefined {
  const row = /^(?:alertIf\.conditions|values)\.(\d+)/.exec(path)?.[1];
  return row === undefined ? undefined : Number(row);
}

function checkUrl(text: string): string | undefined {
  const url = text.trim();
  if (url === "") return "Enter a URL.";
  if (!/^https?:\/\//i.test(url)) return "Start with http:// or https://.";
  if (!URL.canParse(url)) return "This isn’t a valid URL.";
  return undefined;
}
