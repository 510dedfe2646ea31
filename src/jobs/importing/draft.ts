import { headerRule, NewJob, ruleLength } from "#contract/job.ts";
import { type JudgedRules, refuseAll } from "../judging/refuse-rules.ts";
import { UnreadableFile } from "../unreadable-file.ts";

/** A job as another tool's file has it, in our words, and what has none. */
export type Draft = {
  name: string;
  url: string;
  group: string | null;
  /** Minutes. */
  frequency: number | null;
  paused: boolean;
  selector: string | null;
  ignore: string[];
  lookup: { strings: string[]; when: "appears" | "disappears" } | null;
  headers: { name: string; value: string }[];
  awaited: boolean;
  waitFor: { selector?: string; seconds?: number } | null;
  request: {
    method?: "GET" | "POST" | "PUT";
    as?: "form" | "json";
    body?: string;
    userAgent?: string;
    language?: string;
  } | null;
  /** Settings that only archives of ours have, by the names of a new job; they are judged as any new job's are. */
  rest: Record<string, unknown>;
  /** Where its history is in the archive, and what the next execution is compared with. */
  history: { folder: string; baseline: string | null; createdAt: string | null } | null;
  /** What stands in the file and cannot become anything here, in sentences. */
  left: string[];
  /** Why no job can be made of it, where that is known already. */
  problem: string | null;
};

/** How many jobs one file may hold. */
export const mostJobs = 1_000;

/** Refuses a file of too many jobs; readers ask as soon as they have counted them, before they read each. */
export function assertCount(jobs: number): void {
  if (jobs > mostJobs)
    throw new UnreadableFile("The file has more than 1,000 addresses. Split it and import its parts.");
}

/** Settings that only our own archives have, as a new job's are judged. */
const Rest = NewJob.pick({
  alertIf: true,
  values: true,
  schedule: true,
  tellFailures: true,
  request: true,
  channels: true,
});

const most = { address: 2_048, rules: 50, body: 64 * 1024, header: 8_192, name: 300, notes: 10, note: 300 };

/**
 * Enough of a text that the rules of a new job still refuse it where it is too long. They count some texts by
 * characters that take two places here.
 */
const longEnough = (text: string, maximum: number) => text.slice(0, 2 * maximum + 2);
/** The same of a list. */
const first = <T>(list: T[], maximum: number) => list.slice(0, maximum + 1);

/** Makes a draft of bounded size, whatever a file says: it goes to another thread, and into an answer. */
export function draft(given: Partial<Draft> & { url: string }): Draft {
  const { name, group, selector, ignore = [], lookup, headers = [], waitFor, request, history } = given;
  const url = longEnough(given.url.trim(), most.address);
  const called = (name ?? "")
    .slice(0, 10_000)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const { data: rest = {}, error } = Rest.safeParse(given.rest ?? {});
  const rules = (list: string[]) => first(list, most.rules).map((one) => longEnough(one, ruleLength));
  const judged = {
    selector: selector ? longEnough(selector, ruleLength) : null,
    ignore: rules(ignore),
    lookup: lookup ? { strings: rules(lookup.strings), when: lookup.when } : null,
  };
  return {
    ...judged,
    group: group ? longEnough(group, most.name) : null,
    frequency: wholeMinutes(given.frequency ?? null),
    paused: given.paused ?? false,
    headers: first(headers, headerRule.maximum).map((one) => ({
      name: longEnough(one.name, most.name),
      value: longEnough(one.value, most.header),
    })),
    awaited: given.awaited ?? false,
    waitFor: waitFor
      ? { ...waitFor, ...(waitFor.selector ? { selector: longEnough(waitFor.selector, ruleLength) } : {}) }
      : null,
    request: request ? boundRequest(request) : null,
    rest,
    history: history
      ? {
          folder: history.folder.slice(0, most.name),
          baseline: history.baseline?.slice(0, most.name) ?? null,
          createdAt: history.createdAt,
        }
      : null,
    left: boundNotes(given.left ?? []),
    problem: error ? sayIssue(error) : refuseRead({ ...judged, values: rest.values }),
    url,
    name: Array.from(called || url.replace(/^https?:\/\//, ""))
      .slice(0, 120)
      .join(""),
  };
}

/** Why the rules of a draft cannot be understood. Those that were cut are refused for their length, later. */
function refuseRead({ selector, ignore = [], ...others }: JudgedRules): string | null {
  const isWhole = (rule: string) => rule.length <= ruleLength;
  const judged = {
    selector: selector && isWhole(selector) ? selector : null,
    ignore: ignore.filter(isWhole),
  };
  return refuseAll({ ...judged, ...others })?.reason ?? null;
}

function boundRequest({ body, userAgent, language, ...asked }: NonNullable<Draft["request"]>) {
  return {
    ...asked,
    ...(body === undefined ? {} : { body: longEnough(body, most.body) }),
    ...(userAgent === undefined ? {} : { userAgent: longEnough(userAgent, most.name) }),
    ...(language === undefined ? {} : { language: longEnough(language, most.name) }),
  };
}

/** Whole minutes up to just beyond what a job may have. */
const wholeMinutes = (minutes: number | null) =>
  minutes === null || Number.isNaN(minutes) ? null : Math.round(Math.min(Math.max(minutes, 1), 100_000));

function boundNotes(notes: string[]): string[] {
  const shown = notes.slice(0, most.notes).map((note) => shorten(note, most.note));
  const more = notes.length - shown.length;
  return more > 0 ? [...shown, `${more} more things in the file have no counterpart.`] : shown;
}

/** The beginning of a text that is too long to be shown. */
export const shorten = (text: string, maximum: number) =>
  text.length <= maximum ? text : `${text.slice(0, maximum - 1).toWellFormed()}…`;

/** What is wrong with a setting, and with which. */
export function sayIssue({
  issues: [issue],
}: {
  issues: { path: PropertyKey[]; message: string }[];
}): string {
  return `${issue?.path.join(".")}: ${issue?.message}`;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** The first texts of a list, or the only one. No tool has lists or rules that come near these limits. */
export const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, 200) : typeof value === "string" ? [value] : [])
    .filter((one): one is string => typeof one === "string")
    .map((one) => one.slice(0, 5_000).trim())
    .filter(Boolean);
/** The first entries of a list of objects. */
export const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.slice(0, 200).filter(isRecord) : [];
/** The first headers of an object whose keys are their names. */
export const headersOf = (value: unknown): Draft["headers"] =>
  isRecord(value)
    ? Object.entries(value)
        .slice(0, 100)
        .map(([name, text]) => ({ name, value: String(text) }))
    : [];
export const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text.trim());
