import type { Severity } from "#contract/capture.ts";
import type { NotificationKind, OftenAnswer } from "#contract/job.ts";
import type { Line } from "./rich-text.ts";

export type Word = { op: "same" | "removed" | "added"; text: string };
/** A line that came or went, or one of which some words did. */
export type ChangedLine = { sign: "+" | "-"; text: string } | { sign: "~"; words: Word[] };

/** One thing to tell a person, ready for any channel. Page-derived values are plain text; channels escape them. */
export type Alert = {
  kind: NotificationKind | "test";
  severity: Severity;
  title: string;
  message: string;
  /** The watched address. */
  url: string | null;
  /** Where it can be looked at. */
  link: string;
  at: Date;
  jobId: string | null;
  executionId: string | null;
  status: { before: number | null; after: number | null } | null;
  similarity: number | null;
  /** The changed lines, bounded; `moreLines` counts what was left out. */
  lines: ChangedLine[];
  moreLines: number;
  findings: { kind: string; value: string }[];
  /** How many differences were taken for noise that the user could ask to be told of. */
  ignored: number;
  /** Before and after side by side, JPEG. */
  picture: Buffer | null;
  /** Why it comes this way: another channel failed. */
  note: string | null;
  /** Asked once of a place that keeps changing; each choice can be pressed in a chat or followed from a mail. */
  question: { text: string; choices: { label: string; answer: OftenAnswer; link: string }[] } | null;
  /** Its user's own words, instead of ours; a title of null is ours. */
  own?: { title: string | null; lines: Line[] };
};

/** Many alerts of one account as one message. */
export type Digest = {
  /** Of changes that are told once a day, not of a burst. */
  isDaily: boolean;
  /** Held back because its user wants it hourly, daily or after quiet hours. */
  isPaced?: boolean;
  entries: Pick<Alert, "title" | "message" | "severity" | "link" | "at">[];
  link: string;
  note: string | null;
};

export function digestTitle({ entries, isDaily, isPaced }: Digest): string {
  if (isDaily) return entries.length === 1 ? "Today on 1 page" : `Today on ${entries.length} pages`;
  if (isPaced) return entries.length === 1 ? "1 alert" : `${entries.length} alerts, the gravest first`;
  return entries.length === 1 ? "1 more change" : `${entries.length} more changes`;
}

/** "404 → 200", or nothing when it stayed. */
export function statusWords({ status }: Alert): string | null {
  if (!status || status.before === status.after || status.after === null) return null;
  return status.before === null ? String(status.after) : `${status.before} → ${status.after}`;
}
