import type { Severity } from "#contract/capture.ts";

export type ChangedLine = { sign: "+" | "-"; text: string };

/** One thing to tell a person, ready for any channel. Page-derived values are plain text; channels escape them. */
export type Alert = {
  kind: "change" | "interrupted" | "recovered" | "delivery-failed" | "plan" | "test";
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
  /** Before and after side by side, JPEG. */
  picture: Buffer | null;
  /** Why it comes this way: another channel failed. */
  note: string | null;
};

/** Many alerts of one account as one message. */
export type Digest = {
  entries: Pick<Alert, "title" | "message" | "severity" | "link" | "at">[];
  link: string;
  note: string | null;
};

export function digestTitle({ entries }: Digest): string {
  return entries.length === 1 ? "1 more change" : `${entries.length} more changes`;
}

/** "404 → 200", or nothing when it stayed. */
export function statusWords({ status }: Alert): string | null {
  if (!status || status.before === status.after || status.after === null) return null;
  return status.before === null ? String(status.after) : `${status.before} → ${status.after}`;
}
