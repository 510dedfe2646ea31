import type { CaptureResult, TakenStep } from "#capture/capture-page.ts";
import type { Evidence } from "#capture/plain-http/http-evidence.ts";
import type { CaptureFailure, Snapshot } from "#contract/capture.ts";
import type { Values } from "#detection/followed-values/followed-values.ts";
import { recordUnchangedCheck } from "#detection/frequent-changes/frequent-changes.ts";
import { countIdleAgain } from "#detection/noise-memory/idle-rules.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import type { LogLine } from "#storage/logs.ts";
import type { CheckInput } from "./check-input.ts";

/** What every check leaves behind, whatever it found. */
type Found = {
  status: number | null;
  /** The followed values as this check read them. */
  values: Values | null;
  memory: NoiseMemory | null;
  /** How the next check may ask the server whether the page changed. */
  evidence: Evidence | null;
  /** How long the server asked us to stay away. */
  retryAfterSeconds: number;
  /** A pending change is still present. */
  isPendingConfirmed: boolean;
  lines: LogLine[];
  /** What was done on the page before the capture. */
  steps?: TakenStep[] | undefined;
};

/** The server said that the page is still the one captured last. */
export type NotModified = Found & { kind: "not-modified" };

/** The page was captured, and compared where there was something to compare it with. */
export type Captured = Found & {
  kind: "captured";
  snapshot: Snapshot;
  verdict: Verdict | null;
  /** Whether later captures may be compared with this one. */
  isComplete: boolean;
  /** Why it wasn't compared with the baseline but takes its place. */
  replaces?: string;
};

/** Nothing could be compared. A capture that shows why is stored as evidence. */
export type Failed = Found & { kind: "failed"; failure: CaptureFailure; snapshot: Snapshot | null };

/** What a check found, before anything is written. */
export type CheckResult = NotModified | Captured | Failed;

/** A first capture that a second one has to confirm. */
export type Unconfirmed = {
  kind: "unconfirmed";
  first: Captured;
  /** What seems to have changed; null at a job's first check. */
  change: string | null;
};

export const verdictOf = (result: CheckResult): Verdict | null =>
  result.kind === "captured" ? result.verdict : null;

export const snapshotOf = (result: CheckResult): Snapshot | null =>
  result.kind === "not-modified" ? null : result.snapshot;

/** Whether the next check may be compared with what this one saw. */
export const isBaseline = (result: CheckResult): boolean =>
  result.kind === "not-modified" || (result.kind === "captured" && result.isComplete);

/** What the user should know about steps that succeeded, such as a selector that stopped matching. */
const stepNotes = (steps: TakenStep[] = []): LogLine[] =>
  steps.flatMap(({ text, note }, at) =>
    note === null ? [] : [{ level: "warn", meta: `Step ${at + 1} (${text}): ${note}` }],
  );

export function captured(
  input: CheckInput,
  snapshot: Snapshot,
  evidence: Evidence,
  steps?: TakenStep[],
): Captured {
  const seconds = ((snapshot.timing.total ?? 0) / 1000).toFixed(1);
  const scripts = snapshot.scripts.length;
  const how = snapshot.via === "http" ? " by HTTP" : "";
  const meta = `Captured in ${seconds} s${how}, status ${snapshot.status}, ${scripts} script${scripts === 1 ? "" : "s"} loaded`;
  const lines: LogLine[] = [...stepNotes(steps), { level: "info", meta }];
  if (snapshot.consent) lines.push({ level: "info", meta: describeConsent(snapshot.consent) });
  if (snapshot.picture?.isCut) lines.push({ level: "info", meta: pictureEnds(snapshot.picture.height) });
  return {
    kind: "captured",
    snapshot,
    status: snapshot.status,
    verdict: null,
    values: null,
    isComplete: true,
    memory: input.memory,
    evidence,
    retryAfterSeconds: 0,
    isPendingConfirmed: false,
    lines,
    steps,
  };
}

const consentActions = { reject: "rejected", accept: "accepted", hide: "hidden" };

function describeConsent({ rule, action, result }: NonNullable<Snapshot["consent"]>): string {
  const by = rule === "unknown" ? "" : ` (${rule})`;
  return result === "done"
    ? `Consent banner ${consentActions[action]}${by}`
    : `The consent banner could not be answered${by}`;
}

const pictureEnds = (height: number) =>
  `The page is taller than its picture, which ends at ${height.toLocaleString("en")} px; text and HTML are whole`;

export function notModified(
  input: CheckInput,
  { seen, evidence }: Extract<CaptureResult, { unchanged: true }>,
): NotModified {
  const meta = `Checked by HTTP, status ${seen.status}: the page is the same as in the last capture`;
  const memory = openMemory(input.memory);
  return {
    kind: "not-modified",
    isPendingConfirmed: memory.waiting.length > 0,
    status: seen.status,
    values: input.follow.length > 0 ? input.lastValues : null,
    memory: countIdleAgain(recordUnchangedCheck(memory)),
    evidence,
    retryAfterSeconds: 0,
    lines: [
      { level: "info", meta },
      { level: "info", meta: "No change" },
    ],
  };
}

export function captureFailed(
  input: CheckInput,
  failure: CaptureFailure,
  {
    snapshot = null,
    retryAfterSeconds = 0,
    steps,
  }: { snapshot?: Snapshot | null; retryAfterSeconds?: number; steps?: TakenStep[] | undefined } = {},
): Failed {
  return {
    kind: "failed",
    failure,
    snapshot,
    status: snapshot?.status ?? null,
    values: null,
    memory: input.memory,
    evidence: input.request.previous ?? null,
    retryAfterSeconds,
    isPendingConfirmed: false,
    steps,
    lines: [...stepNotes(steps), { level: "error", meta: `Capture failed: ${failure.message}` }],
  };
}

/** The check failed although the server answered: the answer can't be compared. */
export function notComparable(
  result: NotModified | Captured,
  failure: CaptureFailure,
  { retryAfterSeconds = 0, level = "error" }: { retryAfterSeconds?: number; level?: LogLine["level"] } = {},
): Failed {
  return {
    kind: "failed",
    failure,
    snapshot: snapshotOf(result),
    status: result.status,
    values: result.values,
    memory: result.memory,
    evidence: result.evidence,
    retryAfterSeconds,
    isPendingConfirmed: result.isPendingConfirmed,
    steps: result.steps,
    lines: [...result.lines, { level, meta: failure.message }],
  };
}

/** Adds the comparison's outcome to a capture, with a log line that describes it. */
export function compared(
  first: Captured,
  found: { verdict: Verdict; memory: NoiseMemory; values?: Values | null },
  line = verdictLine(found.verdict),
): Captured {
  const { partial, blocked } = found.verdict;
  // A page that may not have loaded completely is never compared with, nor one with a text that must not be there.
  const isComplete = first.isComplete && partial !== true && blocked !== true;
  const lines = [...first.lines, line];
  return blocked
    ? { ...first, verdict: found.verdict, isComplete, lines }
    : { ...first, ...found, isComplete, lines };
}

function verdictLine({ changed, summary, ignored }: Verdict): LogLine {
  if (changed) return { level: "info", meta: `Change: ${summary}` };
  const places = ignored.length;
  const meta =
    places === 0 ? "No change" : `No change: ${places} volatile location${places === 1 ? "" : "s"} ignored`;
  return { level: "info", meta };
}
