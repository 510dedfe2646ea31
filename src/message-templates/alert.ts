import type { Severity } from "#contract/capture.ts";
import type { FrequentChangeAnswer, NotificationKind } from "#contract/job.ts";
import type { OpinionClass } from "#contract/second-opinion.ts";
import type { Template } from "#contract/template.ts";
import type { Line } from "./rich-text.ts";
import type { TemplateValues } from "./template.ts";

export type Word = { op: "same" | "removed" | "added"; text: string };
/** An added or removed line, or a line in which some words changed. */
export type ChangedLine = { sign: "+" | "-"; text: string } | { sign: "~"; words: Word[] };

/** One alert, ready for any channel. Values from the page are plain text; channels escape them. */
export type Alert = {
  kind: NotificationKind | "test";
  severity: Severity;
  title: string;
  message: string;
  /** Address of the watched page. */
  url: string | null;
  /** Link to the alert's page in Watchglass. */
  link: string;
  at: Date;
  jobId: string | null;
  executionId: string | null;
  status: { before: number | null; after: number | null } | null;
  similarity: number | null;
  /** The job's conditions that the change meets, in words. */
  condition: string | null;
  /** The changed lines, limited in number; `moreLines` counts the omitted ones. */
  lines: ChangedLine[];
  moreLines: number;
  findings: { kind: string; value: string }[];
  /** How many differences were ignored as noise that the user could ask to be alerted about. */
  ignored: number;
  /** What a language model says about the change: its words, never ours. */
  opinion?: { model: string; sentence: string; loweredAs?: OpinionClass | null } | null;
  /** Before and after side by side, JPEG. */
  picture: Buffer | null;
  /** Why the alert comes through this channel: another one failed. */
  note: string | null;
  /** Asked once per location that changes often; each choice is a button in a chat or a link in a mail. */
  question: { text: string; choices: { label: string; answer: FrequentChangeAnswer; link: string }[] } | null;
  /** The user's own text instead of ours; a null title keeps our title. */
  own?: { title: string | null; lines: Line[] };
  /** The message of the job or its group, which the channel sends instead of its own. */
  jobMessage?: Template | null;
  /** Values of placeholders that our own text doesn't use; absent if the alert is not about a job's check. */
  values?: TemplateValues | undefined;
};

/** Many alerts of one account as one message. */
export type Digest = {
  /** The daily digest of digest-only changes, not a burst of alerts. */
  isDaily: boolean;
  /** How many pages the entries are about. */
  pages?: number;
  /** Held back because the user wants messages hourly, daily or after quiet hours. */
  followsSchedule?: boolean;
  entries: Pick<Alert, "title" | "message" | "severity" | "link" | "at" | "opinion" | "condition">[];
  /** What a language model says about all of it. */
  opinion?: Alert["opinion"];
  link: string;
  /** Address of this installation. */
  base?: string;
  note: string | null;
};

export function digestTitle({ entries, isDaily, followsSchedule, pages = entries.length }: Digest): string {
  if (isDaily) return pages === 1 ? "Today on 1 page" : `Today on ${pages} pages`;
  if (followsSchedule)
    return entries.length === 1 ? "1 alert" : `${entries.length} alerts, the most severe first`;
  return entries.length === 1 ? "1 more change" : `${entries.length} more changes`;
}

/** Why the alert is sent, if the job has conditions: "You asked for: price below 50". */
export const conditionWords = ({ condition }: Pick<Alert, "condition">): string | null =>
  condition === null ? null : `You asked for: ${condition}`;

/** Marks a model's sentence as such: "In the words of llama3.1, unchecked: “The price fell.”" */
export function opinionWords({ opinion }: Pick<Alert, "opinion">): string | null {
  if (!opinion) return null;
  const { model, sentence, loweredAs } = opinion;
  const judgement = loweredAs ? `Judged as ${loweredAs}, so it waited for this digest. ` : "";
  return `${judgement}In the words of ${model.slice(0, 60)}, unchecked: “${sentence}”`;
}

/** "404 → 200", or null if the status did not change. */
export function statusWords({ status }: Alert): string | null {
  if (!status || status.before === status.after || status.after === null) return null;
  return status.before === null ? String(status.after) : `${status.before} → ${status.after}`;
}
