import { refuseDates } from "./fill-dates.ts";

/**
 * Names that a template may contain in double braces, and their meaning. They are the same in a trigger's URL and body,
 * in a channel's or a job's message and in a webhook's body. The list is fixed; there are no expressions. A name without
 * a value is null in JSON and empty elsewhere.
 */
export const placeholders = {
  "event.id": "The same for every attempt and retry of one change",
  "job.id": "The job's id",
  "job.name": "The job's name",
  "job.url": "The watched address",
  "job.group": "The name of the job's group",
  "execution.id": "The id of the check that saw the change",
  "execution.time": "When it was made, ISO 8601, UTC",
  "status.before": "HTTP status of the capture before; null when there was none",
  "status.after": "HTTP status of this capture",
  similarity: "Share of the page that is unchanged, 0 to 100",
  severity: "info, notice, important or critical",
  condition: "Which of the job's conditions the change meets; null if it has none",
  opinion: "What a language model says about the change, with its name; null without a second opinion",
  matched: "Which of the trigger's and the lookup's strings are in the new content, one per line",
  summary: "The change in one line",
  added: "Text that is new, cut at 4,000 characters",
  removed: "Text that is gone, cut at 4,000 characters",
  findings: "Notable things in the new content: a list, or in a string one line each",
  link: "The change in the viewer",
  kind: "change, failing, recovered, digest, test …",
  title: "The message's title: the job's name",
  message: "The message in one line: the summary of a change",
  url: "The same as job.url",
  time: "When the message was created, ISO 8601, UTC",
  job: "The same as job.id",
  execution: "The same as execution.id",
  status: "404 → 200; null if it did not change",
  words:
    "The changed lines with the words in them that were removed and added: ~~old~~ **new**, as the channel shows it",
  diff: "The changed lines, each with + or -",
  text: "The whole alert as text",
  "diff.full": "Everything that is compared, changed lines with + or -, cut at 16,000 characters",
  patch: "The changed lines with three lines around them, as a unified diff, cut at 16,000 characters",
  snapshot: "The text of the new capture, as it is compared, cut at 16,000 characters",
  base: "The address of this Watchglass",
} as const satisfies Record<string, string>;

export type Placeholder = keyof typeof placeholders;

/** What templates may contain besides these names, with an example of each. */
export const otherPlaceholders = {
  "value.price": "The value that the job follows as price; any other name works the same way",
  "old.price": "That value before the change",
  "date:yyyy-MM-dd": "The day of the check, in the time zone of the job's schedule; also HH, mm and ss",
  "date:yyyy-MM-dd, -1 day": "The day before; also minutes, hours, weeks, months and years, with + or -",
} as const satisfies Record<string, string>;

/** What an alert consists of; a webhook without a template sends these. */
export const alertPlaceholders = [
  "kind",
  "severity",
  "title",
  "message",
  "url",
  "link",
  "time",
  "job",
  "execution",
  "status",
  "similarity",
  "condition",
  "opinion",
  "words",
  "diff",
  "text",
] as const satisfies Placeholder[];

/** The same list in the order that suits messages: an alert's own placeholders first. */
export const messagePlaceholders = Object.fromEntries(
  [...alertPlaceholders, ...(Object.keys(placeholders) as Placeholder[])].map((name) => [
    name,
    placeholders[name],
  ]),
);

/** The end of every sentence that refuses an unknown placeholder. */
export const knownPlaceholders = (list: Record<string, string>) =>
  `Known are: ${Object.keys(list).join(", ")}, value. or old. with the name of a followed value, and dates such as {{date:yyyy-MM-dd}}.`;

/** A placeholder in a template; its group is the name, or a date's format. */
export const placeholderPattern = /\{\{\s*([\w.]+(?=\s*\}\})|date:[^{}"\\]*(?=\}\}))\s*\}\}/g;

/**
 * What a JSON template consists of besides plain characters: quotes, placeholders, and a backslash with the character
 * after it, so that `\"` does not end a string and `\{{` does not begin a placeholder.
 */
export const jsonTemplateToken = new RegExp(String.raw`\\.|"|${placeholderPattern.source}`, "gs");

export const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name);

/**
 * The followed value that `value.NAME` or `old.NAME` names. Names that every object inherits (`constructor`, …) are
 * excluded.
 */
export function followedValueName(name: string): { name: string; of: "value" | "old" } | undefined {
  const [, of, followed] = /^(value|old)\.(\w+)$/.exec(name) ?? [];
  return followed === undefined || followed in Object.prototype
    ? undefined
    : { name: followed, of: of as "value" | "old" };
}

const datePrefix = "date:";

/** The format of a placeholder such as {{date:yyyy-MM-dd}}; undefined for other names. */
export const dateFormatOf = (name: string): string | undefined =>
  name.startsWith(datePrefix) ? name.slice(datePrefix.length) : undefined;

const isKnown = (name: string) =>
  isPlaceholder(name) || followedValueName(name) !== undefined || dateFormatOf(name) !== undefined;

/** Why a template's placeholders can't be filled: an unknown one, or a date in words. Null if they can. */
export function refusePlaceholders(template: string): { unknown: string } | { wrongDate: string } | null {
  const [unknown] = [...template.matchAll(placeholderPattern)].find(([, name = ""]) => !isKnown(name)) ?? [];
  if (unknown !== undefined) return { unknown };
  const wrongDate = refuseDates(template);
  return wrongDate === null ? null : { wrongDate };
}
