import { setTimeout as sleep } from "node:timers/promises";
import type { CaptureFailure, Snapshot } from "#contract/capture.ts";
import type { Stage } from "#contract/job.ts";
import type { Verdict } from "#detection/verdict.ts";
import { decodePicture, readPixels } from "#storage/chains.ts";
import type { Kept } from "#storage/executions.ts";
import type { LogLine } from "#storage/logs.ts";
import type { CaptureRequest, CaptureResult, ExecuteDeps, Image } from "./deps.ts";

/** What a job knows before it looks. */
export type Known = {
  accountId: string;
  request: CaptureRequest;
  memory: unknown;
  /** The last complete capture. */
  before: { snapshot: Snapshot; kept: Kept } | null;
};

/** What one execution found out, before anything is written. */
export type Finding = {
  /** The snapshot to keep; "before" when the one before still stands. */
  snapshot: Snapshot | "before" | null;
  status: number | null;
  failure: CaptureFailure | null;
  verdict: Verdict | null;
  /** Whether it may be what the next capture is compared with. */
  complete: boolean;
  memory: unknown;
  evidence: unknown;
  /** The target asked to be left alone for so long. */
  retryAfterSeconds: number;
  lines: LogLine[];
};

type Deps = Pick<ExecuteDeps, "db" | "blobs" | "capture" | "detector" | "confirmAfterMs">;

/** Captures, compares, and looks twice at what is new. */
export async function look(deps: Deps, known: Known, tell: (stage: Stage) => Promise<void>): Promise<Finding> {
  await tell("capturing");
  const first = await deps.capture(known.request);
  if (!first.ok) return failed(known, first);
  if (first.unchanged) return stillStands(known, first);
  const finding = seen(known, first.snapshot, first.evidence);
  const patience = askedForPatience(first.snapshot);
  if (patience !== null) return rateLimited(finding, first.snapshot, patience);
  if (first.snapshot.truncated) {
    finding.lines.push({ level: "warn", meta: "The capture was cut short, so it was not compared" });
    return { ...finding, complete: false };
  }
  if (!known.before) return learnFirst(deps, known, finding, first.snapshot, tell);
  await tell("comparing");
  const once = await compare(deps, known, first.snapshot, known.memory);
  if (!once.verdict.changed) return { ...finding, ...once, lines: [...finding.lines, unchangedLine(once.verdict)] };
  if (isPlain(known.before.snapshot, first.snapshot, once.verdict)) {
    return { ...finding, ...once, lines: [...finding.lines, changedLine(once.verdict)] };
  }
  await tell("confirming");
  return confirm(deps, known, finding, first.snapshot, once.verdict);
}

/** A change that needs no second look: another status, or hardly anything left of the page. */
function isPlain(before: Snapshot, after: Snapshot, verdict: Verdict): boolean {
  return before.status !== after.status || verdict.similarity < 10;
}

/** What differs between two captures taken seconds apart is noise; what is left is the change. */
async function confirm(deps: Deps, known: Known, finding: Finding, first: Snapshot, verdict: Verdict): Promise<Finding> {
  await sleep(deps.confirmAfterMs);
  const second = await deps.capture({ ...known.request, previous: null });
  if (!second.ok || second.unchanged || second.snapshot.truncated) {
    const why = second.ok ? "the second capture was cut short" : second.failure.message;
    const meta = `A change could not be confirmed (${why}); the next check will tell: ${verdict.summary}`;
    return { ...finding, complete: false, lines: [...finding.lines, { level: "warn", meta }] };
  }
  const memory = await deps.detector.learnTwin(first, second.snapshot, known.memory);
  const twice = await compare(deps, known, second.snapshot, memory);
  const line: LogLine = twice.verdict.changed
    ? changedLine(twice.verdict)
    : { level: "warn", meta: `Flicker: did not hold for a second look: ${verdict.summary}` };
  return {
    ...finding,
    ...twice,
    snapshot: second.snapshot,
    status: second.snapshot.status,
    evidence: second.evidence,
    lines: [...finding.lines, line],
  };
}

/** The first check is taken twice, so that what changes by itself is known from the start. */
async function learnFirst(
  deps: Deps,
  known: Known,
  finding: Finding,
  first: Snapshot,
  tell: (stage: Stage) => Promise<void>,
): Promise<Finding> {
  await tell("confirming");
  await sleep(deps.confirmAfterMs);
  const second = await deps.capture({ ...known.request, previous: null });
  finding.lines.push({ level: "info", meta: "First capture: later ones are compared with it" });
  if (!second.ok || second.unchanged || second.snapshot.truncated) return finding;
  return { ...finding, memory: await deps.detector.learnTwin(first, second.snapshot, known.memory) };
}

async function compare(deps: Deps, known: Known, after: Snapshot, memory: unknown) {
  if (!known.before) throw new Error("there is nothing to compare with");
  const pictures = await picturesOf(deps, known.accountId, known.before.kept.picture, after);
  const { ignore } = known.request;
  return deps.detector.compare({ before: known.before.snapshot, after, memory, ignore, pictures });
}

async function picturesOf(deps: Deps, accountId: string, before: Buffer | null, after: Snapshot) {
  if (!before || !after.picture) return null;
  const pictures: { before: Image; after: Image } = {
    before: await readPixels(deps, accountId, before),
    after: await decodePicture(after.picture.png),
  };
  const { before: a, after: b } = pictures;
  const same = a.width === b.width && a.height === b.height && Buffer.compare(a.data, b.data) === 0;
  return same ? "same" : pictures;
}

function seen(known: Known, snapshot: Snapshot, evidence: unknown): Finding {
  const seconds = ((snapshot.timing.total ?? 0) / 1000).toFixed(1);
  const scripts = snapshot.scripts.length;
  const how = snapshot.via === "http" ? " by HTTP" : "";
  const meta = `Captured in ${seconds} s${how}, status ${snapshot.status}, ${scripts} script${scripts === 1 ? "" : "s"}`;
  return {
    snapshot,
    status: snapshot.status,
    failure: null,
    verdict: null,
    complete: true,
    memory: known.memory,
    evidence,
    retryAfterSeconds: 0,
    lines: [{ level: "info", meta }],
  };
}

function stillStands(known: Known, { seen, evidence }: Extract<CaptureResult, { unchanged: true }>): Finding {
  const meta = `Asked by HTTP, status ${seen.status}: the page is the one captured last`;
  return {
    snapshot: "before",
    status: seen.status,
    failure: null,
    verdict: null,
    complete: true,
    memory: known.memory,
    evidence,
    retryAfterSeconds: 0,
    lines: [
      { level: "info", meta },
      { level: "info", meta: "No change" },
    ],
  };
}

function failed(known: Known, { failure, snapshot }: Extract<CaptureResult, { ok: false }>): Finding {
  return {
    snapshot,
    status: snapshot?.status ?? null,
    failure,
    verdict: null,
    complete: false,
    memory: known.memory,
    evidence: known.request.previous,
    retryAfterSeconds: (snapshot && askedForPatience(snapshot)) ?? 0,
    lines: [{ level: "error", meta: `Capture failed: ${failure.message}` }],
  };
}

function rateLimited(finding: Finding, snapshot: Snapshot, seconds: number): Finding {
  const message = `The site answered ${snapshot.status} and asked to come back in ${seconds} s.`;
  return {
    ...finding,
    failure: { kind: "blocked", message, transient: true },
    complete: false,
    retryAfterSeconds: seconds,
    lines: [...finding.lines, { level: "warn", meta: message }],
  };
}

const longestPause = 24 * 3600;

/** Seconds a 429 or a 503 asks for; null when the answer asks for none. A 429 that names none means a minute. */
export function askedForPatience({ status, headers }: Pick<Snapshot, "status" | "headers">): number | null {
  if (status !== 429 && status !== 503) return null;
  const value = headers.find(([name]) => name === "retry-after")?.[1].trim();
  const date = headers.find(([name]) => name === "date")?.[1];
  if (value === undefined) return status === 429 ? 60 : null;
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : (Date.parse(value) - (date ? Date.parse(date) : Date.now())) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), longestPause) : 60;
}

function unchangedLine({ ignored }: Verdict): LogLine {
  const places = ignored.length;
  const meta = places === 0 ? "No change" : `No change: ${places} volatile place${places === 1 ? "" : "s"} ignored`;
  return { level: "info", meta };
}

function changedLine({ summary }: Verdict): LogLine {
  return { level: "info", meta: `Change: ${summary}` };
}
