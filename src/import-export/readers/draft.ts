import type { z } from "zod";
import { headerRule, maxRuleLength, NewJob } from "#contract/job.ts";
import { nameFromTitle } from "#contract/job-name.ts";
import {
  maskOf,
  type SecretName,
  type SettingName,
  secretNames,
  settingNames,
} from "#contract/job-settings.ts";
import type { RequestMethod } from "#contract/request-method.ts";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { type JudgedRules, refuseAll } from "#jobs/refuse-rules.ts";

/** A job from another tool's file, translated to our settings, with notes on what has no counterpart. */
export type Draft = {
  /** Empty for a job that is named by its page's title. */
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
    method?: RequestMethod;
    as?: "form" | "json";
    body?: string;
    userAgent?: string;
    language?: string;
  } | null;
  /** Settings that only Watchglass archives have, validated like those of a new job. */
  rest: z.output<typeof Rest>;
  /** Where the job's history is in the archive, and which execution the next one is compared with. */
  history: { folder: string; baseline: string | null; createdAt: string | null } | null;
  /** Sentences about settings in the file that have no counterpart here. */
  left: string[];
  /** Why it can't become a job, if that is already known. */
  problem: string | null;
};

/** How many jobs one file may hold. */
export const maxJobs = 1_000;

/** Refuses a file with too many jobs; readers call this once they have counted the jobs, before reading them. */
export function assertCount(jobs: number): void {
  if (jobs > maxJobs)
    throw new UnreadableFile("The file has more than 1,000 addresses. Split it and import its parts.");
}

/** Refuses a file that is larger than any real one. */
export function refuseLarge(sentence: string): never {
  throw new UnreadableFile(`${sentence} Split the file and import its parts.`);
}

type SharedName = SecretName | "selector" | "awaited" | "ignore" | "lookup" | "waitFor";
/** Settings that other tools have as well, or that no file contains. */
const sharedNames: SharedName[] = [...secretNames, "selector", "awaited", "ignore", "lookup", "waitFor"];
export type RestName = Exclude<SettingName, SharedName>;
export const restNames = settingNames.filter(
  (name): name is RestName => !sharedNames.some((shared) => shared === name),
);
const Rest = NewJob.pick(maskOf(restNames));

const limits = { address: 2_048, rules: 50, body: 64 * 1024, header: 8_192, name: 300, notes: 30, note: 300 };

/**
 * Keeps enough of a text that the validation of a new job still refuses it if it is too long. That validation counts
 * some texts by characters that take two UTF-16 units here.
 */
const longEnough = (text: string, maximum: number) => text.slice(0, 2 * maximum + 2);
/** The same for a list. */
const firstOf = <T>(list: T[], maximum: number) => list.slice(0, maximum + 1);

export type GivenDraft = Omit<Partial<Draft>, "rest"> & {
  url: string;
  rest?: Partial<Record<RestName, unknown>>;
};

/** Makes a draft of limited size whatever a file contains, because it is sent to another thread and in a reply. */
export function draft(given: GivenDraft): Draft {
  const { name, group, selector, ignore = [], lookup, headers = [], waitFor, request, history } = given;
  const url = longEnough(given.url.trim(), limits.address);
  const { data: rest = {}, error } = Rest.safeParse(given.rest ?? {});
  const rules = (list: string[]) => firstOf(list, limits.rules).map((one) => longEnough(one, maxRuleLength));
  const judged = {
    selector: selector ? longEnough(selector, maxRuleLength) : null,
    ignore: rules(ignore),
    lookup: lookup ? { strings: rules(lookup.strings), when: lookup.when } : null,
  };
  return {
    ...judged,
    group: group ? longEnough(group, limits.name) : null,
    frequency: wholeMinutes(given.frequency ?? null),
    paused: given.paused ?? false,
    headers: firstOf(headers, headerRule.maximum).map((one) => ({
      name: longEnough(one.name, limits.name),
      value: longEnough(one.value, limits.header),
    })),
    awaited: given.awaited ?? false,
    waitFor: waitFor
      ? { ...waitFor, ...(waitFor.selector ? { selector: longEnough(waitFor.selector, maxRuleLength) } : {}) }
      : null,
    request: request ? boundRequest(request) : null,
    rest,
    history: history
      ? {
          folder: history.folder.slice(0, limits.name),
          baseline: history.baseline?.slice(0, limits.name) ?? null,
          createdAt: history.createdAt,
        }
      : null,
    left: boundNotes(given.left ?? []),
    problem:
      given.problem ??
      whyNoPage(url) ??
      (error ? describeIssue(error) : validateRules({ ...judged, values: rest.values })),
    url,
    name: nameFromTitle(name ?? ""),
  };
}

/** Other tools also watch what a server should not read for its users. */
const whyNoPage = (url: string) =>
  /^(ftps?|sftp|file):/i.test(url)
    ? "It watches a file on an FTP server or a disk. Here only web pages can be watched, by http or https."
    : null;

/** Why a draft's rules can't be parsed. Rules that were cut are refused later, for their length. */
function validateRules({ selector, ignore = [], ...others }: JudgedRules): string | null {
  const isWhole = (rule: string) => rule.length <= maxRuleLength;
  const judged = {
    selector: selector && isWhole(selector) ? selector : null,
    ignore: ignore.filter(isWhole),
  };
  return refuseAll({ ...judged, ...others })?.reason ?? null;
}

function boundRequest({ body, userAgent, language, ...asked }: NonNullable<Draft["request"]>) {
  return {
    ...asked,
    ...(body === undefined ? {} : { body: longEnough(body, limits.body) }),
    ...(userAgent === undefined ? {} : { userAgent: longEnough(userAgent, limits.name) }),
    ...(language === undefined ? {} : { language: longEnough(language, limits.name) }),
  };
}

/** Rounds to whole minutes, up to just above what a job may have. */
const wholeMinutes = (minutes: number | null) =>
  minutes === null || Number.isNaN(minutes) ? null : Math.round(Math.min(Math.max(minutes, 1), 100_000));

function boundNotes(notes: string[]): string[] {
  const shown = notes.slice(0, limits.notes).map((note) => shorten(note, limits.note));
  const more = notes.length - shown.length;
  return more > 0 ? [...shown, `${more} more things in the file aren’t supported.`] : shown;
}

/** Shortens a text that is too long to be shown. */
export const shorten = (text: string, maximum: number) =>
  text.length <= maximum ? text : `${text.slice(0, maximum - 1).toWellFormed()}…`;

/** Names the invalid setting and its problem. */
export function describeIssue({
  issues: [issue],
}: {
  issues: { path: PropertyKey[]; message: string }[];
}): string {
  return `${issue?.path.join(".")}: ${issue?.message}`;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** The first texts of a list, or a single text. No tool has lists or rules near these limits. */
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
