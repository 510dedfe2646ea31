import type { CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Snapshot } from "#contract/capture.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import type { CaptureCache } from "#storage/contents.ts";
import type { LogLine } from "#storage/logs.ts";
import type { JobFilterResult } from "./apply-job-rules.ts";
import type { CheckInput } from "./check-input.ts";
import { type Captured, type CheckResult, compared, type Unconfirmed } from "./check-result.ts";
import {
  compare,
  type Deps,
  type Filtered,
  failedCapture,
  filter,
  filterBaseline,
  judgeAnswerOf,
  orTooMuch,
  readFollowed,
  rememberIdleRules,
  rememberStatus,
  toSend,
} from "./compare-capture.ts";
import type { Pictures } from "./compare-views.ts";
import { describeEmptyReply, isEmptyReply } from "./empty-reply.ts";
import { describeStatus } from "./error-status.ts";

/** Captures the page a second time. What differs between two captures taken seconds apart is noise. */
export async function confirmChange(
  deps: Deps,
  input: CheckInput,
  { change, first }: Unconfirmed,
): Promise<CheckResult> {
  const known = { ...first, memory: input.memory };
  const second = await deps.capture({
    ...input.request,
    ...sameProxy(input, first),
    previous: null,
    isConfirmation: true,
  });
  // The first capture may have been cut off at the same point unnoticed.
  if (!second.ok && second.failure.kind === "cut") return failedCapture(input, second);
  const work =
    change === null
      ? learnFromFirstCheck(deps, input, known, second)
      : compareAgain(deps, input, known, second, change);
  return rememberStatus(await orTooMuch(input, work));
}

/** Through another proxy, a site may show another page, whose differences aren't noise. */
function sameProxy(
  { request: { proxies } }: CheckInput,
  { evidence }: Captured,
): Pick<CaptureRequest, "proxies"> {
  const same = proxies?.filter(({ id }) => id === evidence?.proxy) ?? [];
  return same.length > 0 ? { proxies: same } : {};
}

/** Compares the second capture with the baseline. What remains after the noise is the change. */
async function compareAgain(
  deps: Deps,
  input: CheckInput,
  first: Captured,
  second: CaptureResult,
  change: string,
): Promise<Captured> {
  const unsure = (why: string): Captured => {
    const meta = `A change could not be confirmed (${why}); the next check will tell: ${change}`;
    return { ...first, isComplete: false, lines: [...first.lines, { level: "warn", meta }] };
  };
  const later = await filterSecond(deps, input, second);
  if (!second.ok || second.unchanged || "problem" in later)
    return unsure("problem" in later ? later.problem : "it could not be made");
  const [baseline, earlier] = await Promise.all([
    filterBaseline(deps, input),
    filter(deps, input, first.snapshot),
  ]);
  if (!baseline || "problem" in baseline || "problem" in earlier)
    return unsure("the rules no longer match anything");
  const { snapshot, evidence, steps } = second;
  const memory = await learnNoise(
    deps,
    input,
    { ...earlier, snapshot: first.snapshot },
    { ...later, snapshot },
  );
  const values = await readFollowed(deps, input, { snapshot, lines: [] }, later.view);
  const found = await compare(deps, input, baseline.view, { ...later, snapshot }, memory, values);
  const confirmed: Captured = { ...first, snapshot, status: snapshot.status, evidence, values, steps };
  if (found.verdict.changed) return compared(confirmed, found);
  const flicker: LogLine = {
    level: "warn",
    meta: `Not confirmed: a second capture no longer showed it: ${change}`,
  };
  return compared(confirmed, found, flicker);
}

/** A job's first check has nothing to compare with, but a second capture shows what changes by itself. */
async function learnFromFirstCheck(
  deps: Deps,
  input: CheckInput,
  first: Captured,
  second: CaptureResult,
): Promise<Captured> {
  const meta = "First capture: later ones are compared with it";
  const baseline: Captured = { ...first, lines: [...first.lines, { level: "info", meta }] };
  const later = await filterSecond(deps, input, second);
  const earlier = await filter(deps, input, first.snapshot);
  if (!second.ok || second.unchanged || "problem" in later || "problem" in earlier) return baseline;
  // An error page and a good one aren't two captures of the same page.
  if (second.snapshot.status !== first.status) return baseline;
  const memory = await learnNoise(
    deps,
    input,
    { ...earlier, snapshot: first.snapshot },
    { ...later, snapshot: second.snapshot },
  );
  return { ...baseline, memory };
}

/** Applies the rules to the second capture, or says why nothing can be compared with it. */
async function filterSecond(deps: Deps, input: CheckInput, second: CaptureResult): Promise<JobFilterResult> {
  if (!second.ok) return { problem: second.failure.message, kind: "selector" };
  const cutShort: JobFilterResult = { problem: "the second capture was cut short", kind: "selector" };
  if (second.unchanged) return cutShort;
  const { status } = second.snapshot;
  if ((await judgeAnswerOf(input, status)) !== "page")
    return { problem: describeStatus(status), kind: "status" };
  if (isEmptyReply(input, second.snapshot))
    return { problem: describeEmptyReply(second.snapshot), kind: "status" };
  const filtered = await filter(deps, input, second.snapshot);
  return !("problem" in filtered) && filtered.view.snapshot.truncated ? cutShort : filtered;
}

async function learnNoise(
  deps: Deps,
  input: CheckInput,
  first: Filtered,
  second: Filtered,
): Promise<NoiseMemory> {
  return deps.detector.learnFromConfirmation({
    first: toSend(input, first),
    second: toSend(input, second),
    memory: rememberIdleRules(input, first.view),
    pictures: await readPair(input.cache, first.snapshot, second.snapshot),
    at: new Date().toISOString(),
  });
}

async function readPair(cache: CaptureCache, first: Snapshot, second: Snapshot): Promise<Pictures> {
  if (!first.picture || !second.picture) return null;
  if (Buffer.compare(first.picture.png, second.picture.png) === 0) return "same";
  const [before, after] = await Promise.all([
    cache.decode(first.picture.png),
    cache.decode(second.picture.png),
  ]);
  return { before, after };
}
