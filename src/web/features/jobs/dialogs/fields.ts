import { bodyTypeOf } from "#contract/body-type.ts";
import type { JobUpdate, NewJob, Trigger } from "#contract/job.ts";
import { type Plan, plans } from "#contract/plans.ts";
import { checkBody } from "./check-body.ts";

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
};

export type Problems = Partial<Record<keyof JobFields, string>>;

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
  };
}

const linesOf = (text: string) =>
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
  };
}

function waitOf({ waitSelector, waitSeconds }: JobFields): JobUpdate["waitFor"] {
  const selector = waitSelector.trim();
  const seconds = Number(waitSeconds);
  if (!selector && !seconds) return null;
  return { ...(selector ? { selector } : {}), ...(seconds ? { seconds } : {}) };
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;

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
];

/** The field that holds the part of the input which the server names. */
export function fieldAt(path: string): keyof JobFields | undefined {
  return places.find(([start]) => path === start || path.startsWith(`${start}.`))?.[1];
}

function checkUrl(text: string): string | undefined {
  const url = text.trim();
  if (url === "") return "Which address?";
  if (!/^https?:\/\//i.test(url)) return "Start with http:// or https://.";
  if (!URL.canParse(url)) return "This is not an address.";
  return undefined;
}
