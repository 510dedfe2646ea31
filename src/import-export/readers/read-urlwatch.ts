import { type Document, isScalar, parseAllDocuments, visit } from "yaml";
import type { AlertIf } from "#contract/alert-if.ts";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { assertCount, type Draft, draft, headersOf, isRecord, shorten, texts } from "./draft.ts";
import { nameLostSettings } from "./name-lost-settings.ts";
import { selectorOf } from "./read-changedetection.ts";
import { readStepFilter } from "./read-text-steps.ts";
import { requestOf } from "./request-of.ts";

/** Translates a filter of urlwatch or webchanges; null if it has no counterpart, {} if we do the same anyway. */
function translateFilter(name: string, value: unknown): { selector?: string; ignore?: string[] } | null {
  const given =
    typeof value === "string"
      ? value
      : isRecord(value)
        ? (texts([value.selector, value.path, value.query, value.re, value.text])[0] ?? "")
        : "";
  switch (name) {
    case "css":
      return given ? { selector: given } : null;
    case "xpath":
      return given ? { selector: selectorOf(`xpath:${given}`) ?? "" } : null;
    case "jsonpath":
      return given ? { selector: `jsonpath:${given}` } : null;
    case "jq":
      return given ? { selector: `jq:${given}` } : null;
    case "element-by-id":
      return given ? { selector: `#${given}` } : null;
    case "element-by-class":
      return given ? { selector: `.${given}` } : null;
    case "element-by-style":
      return given ? { selector: `[style=${JSON.stringify(given)}]` } : null;
    case "element-by-tag":
      return given ? { selector: given } : null;
    case "grepi":
    case "delete_lines_containing": {
      const isPattern = name === "grepi" || (isRecord(value) && value.re !== undefined);
      return given ? { ignore: [isPattern ? `/^.*(${given}).*$/` : JSON.stringify(given)] } : null;
    }
    case "html2text":
    case "strip":
    case "striplines":
    case "strip_each_line":
    case "format-json":
    case "format-xml":
    case "beautify":
      return {};
    default:
      return null;
  }
}

const handled = new Set([
  "name",
  "url",
  "navigate",
  "filter",
  "filters",
  "headers",
  "kind",
  "use_browser",
  "note",
  "wait_for",
  "wait_for_selector",
  "enabled",
  "cookies",
  "method",
  "data",
  "data_as_json",
  "user_agent",
  "command",
  "additions_only",
  "deletions_only",
]);

const handledOfFilters = new Set(["selector", "path", "query", "re", "text", "exclude", "method"]);
const commandFilters = new Set(["shellpipe", "execute"]);
const noCommands =
  "Watchglass doesn’t run commands: a server that runs its users’ commands is not our product.";

const KiB = 1024;
// Their jobs are a few lines long; the largest part is the body of a request, of which a job accepts 64 KiB.
const limits = { document: 256 * KiB, lines: 5_000, keys: 1_000, aliases: 100, anchorUses: 20 };

/** Reads job files of urlwatch and webchanges: many YAML documents, each parsed separately and within limits. */
export function readUrlwatch(text: string): Draft[] {
  return splitDocuments(text).flatMap((part, at) => {
    const refuse = (sentence: string): never => {
      throw new UnreadableFile(`The YAML of job ${at + 1} cannot be read: ${sentence}`);
    };
    if (part.length > limits.document) refuse("It is larger than 256 KiB.");
    if (part.split("\n", limits.lines + 1).length > limits.lines) refuse("It has more than 5,000 lines.");
    return parseYaml(part, refuse).flatMap((job) => {
      if (job === null || job === undefined) return [];
      if (!isRecord(job)) throw new UnreadableFile("The YAML contains something other than jobs.");
      return [readJob(job)];
    });
  });
}

/** A line that starts with three dashes ends a document anywhere, even inside a long text. */
function splitDocuments(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/^---(?=\s|$)/gm)) {
    if (text.slice(from, index).trim() !== "") parts.push(text.slice(from, index));
    assertCount(parts.length);
    from = index;
  }
  parts.push(text.slice(from));
  // A part that only says which YAML version follows is not a document.
  return parts.filter((part) => part.split("\n").some((line) => line !== "" && !line.startsWith("%")));
}

function parseYaml(text: string, refuse: (sentence: string) => never): unknown[] {
  const { stackTraceLimit } = Error;
  try {
    // The library creates an error for each wrong character; most of the cost is the stack trace, which nobody reads.
    Error.stackTraceLimit = 0;
    // The library compares each key with all keys before it; `assertLimits` finds duplicate keys in one pass instead.
    const documents = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false });
    if (!Array.isArray(documents)) return [];
    assertCount(documents.length);
    return documents.map((document) => {
      const [problem] = document.errors;
      if (problem?.message.includes("call stack")) throw new RangeError(problem.message);
      if (problem)
        refuse(`${problem.message} (line ${text.slice(0, problem.pos[0]).split("\n").length} of the job).`);
      assertLimits(document, refuse);
      return document.toJS({ maxAliasCount: limits.anchorUses });
    });
  } catch (error) {
    if (error instanceof RangeError) return refuse("It is nested too deeply.");
    // The library throws this if anchors expand to far more than their own size.
    if (error instanceof ReferenceError)
      return refuse("It unfolds without end: its anchors refer to each other too often.");
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function assertLimits(document: Document, refuse: (sentence: string) => never): void {
  let keys = 0;
  let aliases = 0;
  visit(document, {
    Map(_, { items }) {
      keys += items.length;
      if (keys > limits.keys) refuse("It has more than 1,000 keys.");
      if (!items.every(({ key }) => isScalar(key))) refuse("A key in it is no text.");
      const names = new Set(items.map(({ key }) => String(key)));
      if (names.size < items.length) refuse("It has the same key twice.");
    },
    Alias() {
      if (++aliases > limits.aliases) refuse("It refers to anchors more than 100 times.");
    },
  });
}

function readJob(job: Record<string, unknown>): Draft {
  const url = typeof job.url === "string" ? job.url : typeof job.navigate === "string" ? job.navigate : "";
  const left = nameLostSettings(job, handled);
  const steps: TextStep[] = [];
  const selectors: string[] = [];
  const ignore: string[] = [];
  for (const [name, value] of filtersOf(job.filter ?? job.filters)) {
    const lines = readStepFilter(name, value, steps.length === 0);
    if (lines) {
      steps.push(...lines.steps);
      left.push(...lines.left);
      continue;
    }
    if (commandFilters.has(name)) {
      left.push(`The filter “${name}” is left out. ${noCommands}`);
      continue;
    }
    const known = translateFilter(name, value);
    if (!known) left.push(`The filter “${name}” isn’t supported.`);
    if (known?.selector) selectors.push(known.selector);
    if (known?.ignore) ignore.push(...known.ignore);
    if (known && isRecord(value))
      left.push(...nameLostSettings(value, handledOfFilters, `Of the filter “${name}”, `));
    const excluded = isRecord(value)
      ? texts(value.exclude).flatMap((one) => selectorOf(name === "xpath" ? `xpath:${one}` : one) ?? [])
      : [];
    ignore.push(...excluded);
  }
  const cookies = headersOf(job.cookies).map(({ name, value }) => `${name}=${value}`);
  const headers = [
    ...headersOf(job.headers),
    ...(typeof job.user_agent === "string" ? [{ name: "User-Agent", value: job.user_agent }] : []),
    ...(cookies.length > 0 ? [{ name: "Cookie", value: cookies.join("; ") }] : []),
  ];
  // Data without a method is sent by POST; a mapping is sent as a form unless JSON is requested.
  const method = job.method ?? (job.data === undefined ? "GET" : "POST");
  const body = bodyOf(job.data, job.data_as_json === true);
  const waitFor = waitForOf(job, left);
  const alertIf = readOnly(job, left);
  const note = typeof job.note === "string" ? job.note.trim() : "";
  return draft({
    url,
    name: typeof job.name === "string" ? job.name : "",
    paused: job.enabled === false,
    selector: selectors.join("\n") || null,
    ignore,
    ...requestOf({ method, body, headers }, left),
    waitFor,
    rest: {
      ...(note && { note: shorten(note, 500) }),
      ...(steps.length > 0 && { steps }),
      ...(alertIf && { alertIf }),
    },
    left,
    problem: whyNotWatched(url, job),
  });
}

/** There a line with a new word is both an added and a removed line, so any line that is new or gone counts here. */
function readOnly(job: Record<string, unknown>, left: string[]): AlertIf | null {
  const is = job.additions_only === true ? "added" : job.deletions_only === true ? "removed" : null;
  if (job.additions_only === true && job.deletions_only === true)
    left.push("“deletions_only” is left out, since “additions_only” is set.");
  return is && { match: "all", conditions: [{ what: "text", is, text: "/.+/" }] };
}

/** The filters in their order, each with its name and value; a list may hold several in one mapping. */
function filtersOf(given: unknown): [name: string, value: unknown][] {
  const list = typeof given === "string" ? given.split(",") : Array.isArray(given) ? given : [given];
  return list
    .filter((one) => one !== undefined && one !== null)
    .flatMap((one): [string, unknown][] =>
      isRecord(one) ? Object.entries(one) : [splitShort(String(one).trim())],
    )
    .slice(0, 200);
}

function whyNotWatched(url: string, job: Record<string, unknown>): string | null {
  if (url === "" && (job.command !== undefined || job.shell !== undefined))
    return `It watches what a command prints. ${noCommands}`;
  return null;
}

/** Older versions of webchanges have one setting for a selector or a number of seconds. */
function waitForOf(job: Record<string, unknown>, left: string[]): Draft["waitFor"] {
  if (typeof job.wait_for_selector === "string") return { selector: job.wait_for_selector };
  if (job.wait_for_selector) left.push("“wait_for_selector” with options isn’t supported.");
  const seconds = Number(job.wait_for);
  if (typeof job.wait_for === "string" && Number.isNaN(seconds)) return { selector: job.wait_for };
  if (!(seconds > 0)) return null;
  if (seconds > 15) left.push(`It waited ${seconds} seconds before the capture; at most 15 are possible.`);
  return { seconds: Math.min(Math.round(seconds), 15) };
}

function bodyOf(data: unknown, asJson: boolean): string {
  if (typeof data === "string") return data;
  if (data === undefined || data === null) return "";
  if (asJson || !isRecord(data)) return JSON.stringify(data);
  return new URLSearchParams(Object.entries(data).map(([name, value]) => [name, String(value)])).toString();
}

/** Splits the short notation of older files: "css:main". */
function splitShort(text: string): [string, string | undefined] {
  const at = text.indexOf(":");
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
