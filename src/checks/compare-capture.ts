import type { CaptureResult } from "#capture/capture-page.ts";
import { mayBeCut } from "#capture/failures/detect-cut-document.ts";
import type { Evidence } from "#capture/plain-http/http-evidence.ts";
import { describeFallback } from "#capture/proxy-choice.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Stage } from "#contract/job.ts";
import {
  addAlertedNumbers,
  addLastNumbers,
  settleAlerted,
  type Values,
} from "#detection/followed-values/followed-values.ts";
import { countIdleRules } from "#detection/noise-memory/idle-rules.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import type { View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { retryAfterOf } from "#host-limits/pause-host.ts";
import type { CaptureCache } from "#storage/contents.ts";
import type { LogLine } from "#storage/logs.ts";
import { applyJobRules, type FilterProblem, isPlain, type JobFilterResult } from "./apply-job-rules.ts";
import type { CheckInput } from "./check-input.ts";
import {
  type Captured,
  type CheckResult,
  captured,
  captureFailed,
  compared,
  type Failed,
  isBaseline,
  notComparable,
  notModified,
  type Unconfirmed,
} from "./check-result.ts";
import type { Pictures } from "./compare-views.ts";
import type { Detector, ExecuteDeps } from "./deps.ts";
import { RuleFailure, TookTooMuch } from "./detection-threads/limit-errors.ts";
import { describeEmptyReply, isEmptyReply } from "./empty-reply.ts";
import {
  type AnswerKind,
  describeStatus,
  judgeAnswer,
  rememberError,
  rememberPage,
  withAlertedStatus,
} from "./error-status.ts";
import { openSnapshot, openView, type StoredView, toStoredCapture } from "./stored-capture.ts";

export type Deps = Pick<ExecuteDeps, "capture"> & { detector: Detector };

type NewCapture = Extract<CaptureResult, { ok: true; unchanged: false }>;

/** A capture, and what its job's rules leave of it. */
export type Filtered = { snapshot: Snapshot; view: View };

/** Logged for a capture that was cut short. */
export const tooLarge = "Too large to be compared: narrow it with a selector";

/** Captures the page and compares it with the baseline. What seems new is unconfirmed until a second capture. */
export async function captureAndCompare(
  deps: Deps,
  input: CheckInput,
  onStage: (stage: Stage) => Promise<void>,
): Promise<CheckResult | Unconfirmed> {
  const result = await orTooMuch(input, captureOnce(deps, input, onStage));
  return result.kind === "unconfirmed" ? result : rememberStatus(result);
}

async function captureOnce(
  deps: Deps,
  input: CheckInput,
  onStage: (stage: Stage) => Promise<void>,
): Promise<CheckResult | Unconfirmed> {
  await onStage("capturing");
  const taken = await deps.capture(requestOf(input));
  if (!taken.ok) return failedCapture(input, taken);
  if (taken.unchanged) return checkNotModified(deps, input, taken);
  const first = captured(input, taken.snapshot, taken.evidence, taken.steps);
  const fallback = describeFallback(taken.proxyUses);
  if (fallback) first.lines.push({ level: "warn", meta: fallback });
  const answered = await judgeStatus(deps, input, first, taken.errorWall);
  if (answered) return answered;
  if (isEmptyReply(input, taken.snapshot))
    return notComparable(first, { kind: "empty", message: describeEmptyReply(taken.snapshot) });
  if (input.baseline) await holdParts(input.cache, taken);
  const baseline = await filterBaseline(deps, input);
  const filtered = await filter(deps, input, taken.snapshot);
  if ("problem" in filtered) return notComparable(first, failureOf(filtered));
  first.lines.push(...filtered.lines);
  first.memory = rememberIdleRules(input, filtered.view);
  first.values = await readFollowed(deps, input, first, filtered.view);
  if (filtered.view.snapshot.truncated) {
    first.lines.push({ level: "warn", meta: tooLarge });
    return { ...first, isComplete: false };
  }
  // A baseline that exceeds the rules' budget stays: replacing it could hide a change.
  if (baseline && "problem" in baseline && baseline.kind === "rules")
    return notComparable(first, failureOf(baseline));
  const replaces = describeOpening(input.request.previous ?? null, taken.evidence);
  if (input.baseline && replaces) {
    const line: LogLine = { level: "warn", meta: replaces };
    return {
      kind: "unconfirmed",
      first: { ...first, replaces, lines: [...first.lines, line] },
      change: null,
    };
  }
  // Nothing can be compared with a baseline in which the rules match nothing.
  if (!baseline || "problem" in baseline) return { kind: "unconfirmed", first, change: null };
  await onStage("comparing");
  const found = await compare(
    deps,
    input,
    baseline.view,
    { ...filtered, ...taken },
    first.memory,
    first.values,
  );
  if (!found.verdict.changed || isCertain(found.verdict, taken.snapshot)) return compared(first, found);
  return { kind: "unconfirmed", first, change: found.verdict.summary };
}

/**
 * Why a capture can't be compared with the baseline because we opened the page in another way; null if it can. Such a
 * capture is the new baseline, with a note.
 */
function describeOpening(before: Evidence | null, now: Evidence): string | null {
  if (!before) return null;
  const toText = (value: unknown) => JSON.stringify(value ?? null);
  if (toText(before.browser) !== toText(now.browser))
    return "The browser settings changed: this capture is the new baseline";
  if (before.identity !== now.identity) return "The identity changed: this capture is the new baseline";
  if (before.steps !== now.steps)
    return "The steps before the capture changed: this capture is the new baseline";
  if (toText(before.proxies) !== toText(now.proxies))
    return "The proxies changed: this capture is the new baseline";
  const isSame = toText(before.consent) === toText(now.consent);
  return isSame || before.consentRules === now.consentRules
    ? null
    : "The rules for consent banners were updated, and the banner is answered in another way: this capture is the new baseline";
}

/** While an error is alerted, the page is captured in full, because the return of the same page is news then. */
function requestOf({ request, memory }: CheckInput): CheckInput["request"] {
  return openMemory(memory).toldStatus === null ? request : { ...request, previous: null };
}

/** The page is the same, but its rules may have changed since: a selector may match nothing any more. */
async function checkNotModified(
  deps: Deps,
  input: CheckInput,
  taken: Extract<CaptureResult, { unchanged: true }>,
): Promise<CheckResult> {
  const result = notModified(input, taken);
  if (!input.rules.selector) return result;
  const baseline = await filterBaseline(deps, input);
  return baseline && "problem" in baseline ? notComparable(result, failureOf(baseline)) : result;
}

/** Judges a capture whose status already says that its content isn't compared; null for any other. */
async function judgeStatus(
  deps: Deps,
  input: CheckInput,
  first: Captured,
  wall: NewCapture["errorWall"],
): Promise<CheckResult | null> {
  const { snapshot } = first;
  const { status } = snapshot;
  const retryAfterSeconds = retryAfterOf(snapshot);
  if (retryAfterSeconds !== null) {
    const message = `The site answered ${status} and asked us to come back in ${retryAfterSeconds} s.`;
    const kind = status === 429 ? "rate-limit" : "maintenance";
    return notComparable(
      first,
      { kind: "blocked", message, wall: kind },
      { retryAfterSeconds, level: "warn" },
    );
  }
  const answer = await judgeAnswerOf(input, status);
  if (answer === "page") return null;
  if (answer === "failure" && wall) {
    const message = `${describeStatus(status)} ${wall.sentence}`;
    return notComparable(first, { kind: "blocked", message, wall: wall.kind });
  }
  if (answer === "failure") return notComparable(first, { kind: "status", message: describeStatus(status) });
  const baseline = await input.baseline?.read();
  if (!baseline) return null;
  const { verdict } = await deps.detector.compare({
    before: withAlertedStatus({ kept: baseline }, input.memory),
    after: { kept: toStoredCapture(snapshot) },
    memory: input.memory,
    pictures: null,
    alertIf: input.alertIf,
    isError: true,
  });
  const memory = rememberError(input.memory, status);
  return { ...compared(first, { verdict, memory }), isComplete: false };
}

/** Judges a capture by its HTTP status; the baseline is read only where the judgment depends on it. */
export async function judgeAnswerOf(input: CheckInput, status: number): Promise<AnswerKind> {
  if (status < 400) return "page";
  const baseline = input.baseline && openSnapshot(await input.baseline.read()).status;
  return judgeAnswer(status, baseline, input.memory, input.alertIf);
}

export function rememberStatus(result: CheckResult): CheckResult {
  if (!isBaseline(result) || result.status === null) return result;
  return { ...result, memory: rememberPage(result.memory, result.status) };
}

const tooMuch = "The page takes too long to compare: add a selector to watch only the part that matters.";

/** A page or rule that takes too much time or memory would do so at every attempt, so the check fails. */
export async function orTooMuch<T>(input: CheckInput, work: Promise<T>): Promise<T | Failed> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TookTooMuch) return captureFailed(input, { kind: "too-large", message: tooMuch });
    if (!(error instanceof RuleFailure)) throw error;
    const { message } = error;
    const result = captureFailed(input, { kind: "rules", message });
    return { ...result, lines: [{ level: "error", meta: message }] };
  }
}

export function failedCapture(
  input: CheckInput,
  { failure, snapshot, steps }: Extract<CaptureResult, { ok: false }>,
): Failed {
  const retryAfterSeconds = (snapshot && retryAfterOf(snapshot)) ?? 0;
  return captureFailed(input, failure, { snapshot, retryAfterSeconds, steps });
}

const failureOf = ({ problem, kind }: FilterProblem) => ({ kind, message: problem });

/** Applies the job's rules to a capture. */
export const filter = (deps: Deps, input: CheckInput, snapshot: Snapshot): Promise<JobFilterResult> =>
  applyJobRules(deps, snapshot, input.rules, input.isAwaited);

/** Applies the job's rules to the baseline, or leaves it packed where only the comparison reads it. */
export async function filterBaseline(
  deps: Deps,
  input: CheckInput,
): Promise<{ view: View | StoredView } | FilterProblem | null> {
  if (!input.baseline) return null;
  const kept = await input.baseline.read();
  if (isPlain(input.rules) && input.follow.length === 0)
    return { view: withAlertedStatus({ kept }, input.memory) };
  const filtered = await filter(deps, input, openSnapshot(kept));
  return "problem" in filtered ? filtered : { view: withAlertedStatus(filtered.view, input.memory) };
}

/** The memory with the ignore rules that matched nothing this time. */
export function rememberIdleRules({ rules, memory }: CheckInput, { idle = [] }: View): NoiseMemory | null {
  return rules.ignore.length === 0 && !memory ? null : countIdleRules(openMemory(memory), idle);
}

/** Reads the followed values from a capture; those that are missing are logged. */
export async function readFollowed(
  deps: Deps,
  input: CheckInput,
  { snapshot, lines }: Pick<Captured, "snapshot" | "lines">,
  view: View,
): Promise<Values | null> {
  const { follow } = input;
  if (follow.length === 0) return null;
  const values = await deps.detector.values({ follow, snapshot, view });
  for (const { name } of follow)
    if ((values[name]?.text ?? null) === null) lines.push({ level: "warn", meta: `${name} is missing` });
  return addLastNumbers(values, input.lastValues);
}

/** A capture is often equal to the stored one: its parts are put into the cache, so that they aren't read again. */
async function holdParts(cache: CaptureCache, { snapshot, evidence }: NewCapture): Promise<void> {
  const { html, body, facts } = toStoredCapture(snapshot);
  const bodyHash = evidence.bodySha256 ? Buffer.from(evidence.bodySha256, "hex") : undefined;
  await Promise.all([cache.hold(html), cache.hold(body, bodyHash), cache.hold(facts)]);
}

/**
 * A change that needs no confirmation: another status, or hardly anything left of a page that arrived whole. That a
 * page became a file or the reverse is confirmed.
 */
function isCertain({ reasons, similarity }: Verdict, snapshot: Snapshot): boolean {
  const has = (wanted: string) => reasons.some(({ kind }) => kind === wanted);
  return has("status") || (similarity < 10 && !has("content") && !mayBeCut(snapshot));
}

/** The capture as bytes where no rule filters it, since copying its parts to a thread one by one takes longer. */
export const toSend = ({ rules }: CheckInput, { snapshot, view }: Filtered): View | StoredView =>
  isPlain(rules) ? { kept: toStoredCapture(snapshot) } : view;

export async function compare(
  deps: Deps,
  input: CheckInput,
  before: View | StoredView,
  after: Filtered,
  memory: NoiseMemory | null,
  values: Values | null,
) {
  const { lookup, alertIf, baseline, cache } = input;
  const pictures = await readPictures(cache, baseline?.kept.picture ?? null, after.snapshot);
  const read = values && baseline ? await readBaselineValues(deps, input, openView(before)) : null;
  const last = read && addLastNumbers(read, input.lastValues);
  const now = values && read && addAlertedNumbers(values, input.lastValues ?? {}, read);
  const found = await deps.detector.compare({
    before,
    after: toSend(input, after),
    memory,
    pictures,
    lookup,
    alertIf,
    values: now && last && { before: last, after: now },
    at: new Date().toISOString(),
  });
  return { ...found, values: now ? settleAlerted(now, found.verdict) : values };
}

/** Reads the baseline's values by the current rules. */
async function readBaselineValues(deps: Deps, { follow, baseline }: CheckInput, view: View): Promise<Values> {
  if (!baseline) return {};
  return deps.detector.values({ follow, snapshot: openSnapshot(await baseline.read()), view });
}

async function readPictures(cache: CaptureCache, kept: Buffer | null, now: Snapshot): Promise<Pictures> {
  if (!kept || !now.picture) return null;
  if (await cache.isFileOf(kept, now.picture.png)) return "same";
  const [before, after] = await Promise.all([cache.read(kept), cache.decode(now.picture.png)]);
  const same = before.width === after.width && Buffer.compare(before.data, after.data) === 0;
  return same ? "same" : { before, after };
}
