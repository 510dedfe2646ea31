import type { CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Evidence } from "#capture/evidence.ts";
import { isUnproven } from "#capture/prove-whole.ts";
import type { CaptureFailure, Snapshot } from "#contract/capture.ts";
import type { Lookup, Stage } from "#contract/job.ts";
import { parseRetryAfter } from "#contract/parse-retry-after.ts";
import type { View } from "#detection/apply-rules.ts";
import type { AlertIf } from "#detection/condition.ts";
import { type Follow, rememberLast, type Values } from "#detection/follow.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory.ts";
import { countCheck } from "#detection/often.ts";
import type { Rules } from "#detection/rules.ts";
import type { Verdict } from "#detection/verdict.ts";
import type { Album } from "#storage/chains.ts";
import type { Kept } from "#storage/executions.ts";
import type { LogLine } from "#storage/logs.ts";
import type { Pictures } from "./compare-views.ts";
import type { Detector, ExecuteDeps } from "./deps.ts";
import {
  type AnswerKind,
  asTold,
  judgeAnswer,
  rememberError,
  rememberPage,
  sayStatus,
} from "./error-answer.ts";
import { type KeptBytes, type KeptView, openSnapshot, openView, toKept } from "./kept-view.ts";
import { isPlain, type Seen, seeThrough, type Unseen } from "./see-through.ts";
import { RuleFailure, TookTooMuch } from "./took-too-much.ts";

/** What a job knows before it looks. */
export type Known = {
  album: Album;
  request: CaptureRequest;
  memory: NoiseMemory | null;
  /** What counts of what is captured. */
  rules: Rules;
  /** Whether what the selector chooses may not be there yet. */
  isAwaited: boolean;
  /** Strings that are told of when they come or go; null where the plan has none. */
  lookup: Lookup | null;
  /** What is read off each capture, and what was read of the last complete one. */
  follow: Follow[];
  last: Values | null;
  /** What of the changes is told; null for all. */
  alertIf: AlertIf | null;
  /** The last complete capture, read only where it is needed. */
  before: { read: () => Promise<KeptBytes>; kept: Kept } | null;
};

type Captured = Extract<CaptureResult, { ok: true; unchanged: false }>;

/** What one execution saw, before anything is written. */
export type Look = {
  /** The snapshot to keep; null where nothing was seen, or where the one before still stands. */
  snapshot: Snapshot | null;
  /** The page said that it is the one captured last. */
  stands: boolean;
  /** And something on it waited to be seen once more. */
  stood?: boolean;
  status: number | null;
  failure: CaptureFailure | null;
  verdict: Verdict | null;
  /** What was read of the followed values. */
  values: Values | null;
  /** Whether it may be what the next capture is compared with. */
  complete: boolean;
  memory: NoiseMemory | null;
  evidence: Evidence | null;
  /** The target asked to be left alone for so long. */
  retryAfterSeconds: number;
  lines: LogLine[];
};

/** Said of a capture that was cut short. */
export const tooLarge = "Too large to be compared: narrow it with a selector";

type Deps = Pick<ExecuteDeps, "db" | "blobs" | "capture"> & { detector: Detector };
type Tell = (stage: Stage) => Promise<void>;

/** A look that takes a second one a while later to be sure of. */
export type Glimpse = {
  sight: Look & { snapshot: Snapshot };
  /** What seems to have changed; null at a job's first check. */
  change: string | null;
};

const tooMuch = "The page takes too long to be compared: narrow it with a selector.";

/** What takes too much would do so again: that is a failure. */
async function orTooMuch<T>(known: Known, work: Promise<T>): Promise<T | Look> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TookTooMuch)
      return failed(known, { ok: false, failure: { kind: "too-large", message: tooMuch }, snapshot: null });
    if (!(error instanceof RuleFailure)) throw error;
    const { message } = error;
    const look = failed(known, { ok: false, failure: { kind: "rules", message }, snapshot: null });
    return { ...look, lines: [{ level: "error", meta: message }] };
  }
}

/** Captures and compares. What is new is only a glimpse: `lookTwice` makes it a look. */
export async function look(deps: Deps, known: Known, tell: Tell): Promise<Look | Glimpse> {
  const seen = await orTooMuch(known, lookOnce(deps, known, tell));
  return "sight" in seen ? seen : rememberStatus(seen);
}

function rememberStatus(look: Look): Look {
  const { complete, status, memory } = look;
  return complete && status !== null ? { ...look, memory: rememberPage(memory, status) } : look;
}

/** What a status makes of a capture; the baseline is read only where that depends on it. */
async function answerOf(known: Known, status: number): Promise<AnswerKind> {
  if (status < 400) return "page";
  const baseline = known.before && openSnapshot(await known.before.read()).status;
  return judgeAnswer(status, baseline, known.memory, known.alertIf);
}

async function lookOnce(deps: Deps, known: Known, tell: Tell): Promise<Look | Glimpse> {
  await tell("capturing");
  const isAway = openMemory(known.memory).toldStatus !== null;
  // That the page is the one captured last would not say that its status is news.
  const first = await deps.capture(isAway ? { ...known.request, previous: null } : known.request);
  if (!first.ok) return failed(known, first);
  if (!first.unchanged) {
    const answered = await lookAtAnswer(deps, known, first);
    if (answered) return answered;
  }
  // Without a selector nothing can be missing in a page that stands: it is not even read.
  if (first.unchanged && !known.rules.selector) return stillStands(known, first);
  if (!first.unchanged && known.before) await holdParts(known.album, first);
  const before = await seeBefore(deps, known);
  if (first.unchanged) {
    const stands = stillStands(known, first);
    return before && "problem" in before ? unseen(stands, before) : stands;
  }
  const sight = seen(known, first.snapshot, first.evidence);
  const after = await through(deps, known, first.snapshot);
  if ("problem" in after) return unseen(sight, after);
  sight.lines.push(...after.lines);
  await follow(deps, known, sight, after.view);
  if (after.view.snapshot.truncated) {
    sight.lines.push({ level: "warn", meta: tooLarge });
    return { ...sight, complete: false };
  }
  // A baseline that the rules' budget doesn't suffice for is kept: replacing it could hide a change.
  if (before && "problem" in before && before.kind === "rules") return unseen(sight, before);
  // What the rules show nothing of cannot be compared with.
  if (!before || "problem" in before) return { sight, change: null };
  await tell("comparing");
  const once = await compare(deps, known, before.view, { ...after, ...first }, known.memory, sight.values);
  if (!once.verdict.changed)
    return { ...sight, ...once, lines: [...sight.lines, unchangedLine(once.verdict)] };
  if (isCertain(once.verdict, first.snapshot)) {
    return { ...sight, ...once, lines: [...sight.lines, changedLine(once.verdict)] };
  }
  return { sight, change: once.verdict.summary };
}

/** Judges a capture whose status already says that its content is not to be compared; null for any other. */
async function lookAtAnswer(deps: Deps, known: Known, first: Captured): Promise<Look | null> {
  const { snapshot } = first;
  const sight = seen(known, snapshot, first.evidence);
  const patience = askedForPatience(snapshot);
  if (patience !== null) return rateLimited(sight, snapshot, patience);
  const answer = await answerOf(known, snapshot.status);
  if (answer === "page") return null;
  if (answer === "failure") return unseen(sight, { problem: sayStatus(snapshot.status), kind: "status" });
  const before = await known.before?.read();
  if (!before) return null;
  const { verdict } = await deps.detector.compare({
    before: asTold({ kept: before }, known.memory),
    after: { kept: toKept(snapshot) },
    memory: known.memory,
    pictures: null,
    alertIf: known.alertIf,
    isError: true,
  });
  const memory = rememberError(known.memory, snapshot.status);
  const line = verdict.changed ? changedLine(verdict) : unchangedLine(verdict);
  return { ...sight, verdict, memory, complete: false, lines: [...sight.lines, line] };
}

/** Looks again at what a glimpse was of. What differs between two captures taken seconds apart is noise. */
export async function lookTwice(deps: Deps, known: Known, glimpse: Glimpse): Promise<Look> {
  const { change } = glimpse;
  const sight = { ...glimpse.sight, memory: known.memory };
  const second = await deps.capture({ ...known.request, previous: null, isConfirmation: true });
  // The first capture may have been cut at the same place without anybody noticing.
  if (!second.ok && second.failure.kind === "cut") return failed(known, second);
  const work =
    change === null ? learnFirst(deps, known, sight, second) : confirm(deps, known, sight, second, change);
  return rememberStatus(await orTooMuch(known, work));
}

/** Reads the followed values off a capture; one that is missing is said to be. */
async function follow(deps: Deps, known: Known, sight: Glimpse["sight"], view: View): Promise<void> {
  if (known.follow.length === 0) return;
  const { snapshot } = sight;
  const values = await deps.detector.values({ follow: known.follow, snapshot, view });
  const missing = known.follow.filter(({ name }) => (values[name]?.text ?? null) === null);
  for (const { name } of missing) sight.lines.push({ level: "warn", meta: `${name} is missing` });
  sight.values = rememberLast(values, known.last);
}

const through = (deps: Deps, known: Known, snapshot: Snapshot): Promise<Seen> =>
  seeThrough(deps, snapshot, known.rules, known.isAwaited);

/** The last complete capture through the rules; opened only by who compares it where nothing is read off it here. */
async function seeBefore(
  deps: Deps,
  known: Known,
): Promise<{ view: View | KeptView; lines: LogLine[] } | Unseen | null> {
  if (!known.before) return null;
  const kept = await known.before.read();
  if (isPlain(known.rules) && known.follow.length === 0)
    return { view: asTold({ kept }, known.memory), lines: [] };
  const shown = await through(deps, known, openSnapshot(kept));
  return "problem" in shown ? shown : { ...shown, view: asTold(shown.view, known.memory) };
}

/** What is captured is often what is kept, and need not be read then. */
async function holdParts(album: Album, { snapshot, evidence }: Captured): Promise<void> {
  const { html, body, facts } = toKept(snapshot);
  const known = evidence.bodySha256 ? Buffer.from(evidence.bodySha256, "hex") : undefined;
  await Promise.all([album.hold(html), album.hold(body, known), album.hold(facts)]);
}

/** A second capture through the rules, or why it says nothing. */
async function again(deps: Deps, known: Known, second: CaptureResult): Promise<Seen> {
  if (!second.ok) return { problem: second.failure.message, kind: "selector" };
  const status = second.unchanged ? null : second.snapshot.status;
  if (status !== null && (await answerOf(known, status)) !== "page")
    return { problem: sayStatus(status), kind: "status" };
  const shown = second.unchanged ? null : await through(deps, known, second.snapshot);
  if (!shown || (!("problem" in shown) && shown.view.snapshot.truncated))
    return { problem: "the second capture was cut short", kind: "selector" };
  return shown;
}

/** A change that needs no second look: another status, or hardly anything left of a page that arrived whole. */
function isCertain({ reasons, similarity }: Verdict, snapshot: Snapshot): boolean {
  return (similarity < 10 && !isUnproven(snapshot)) || reasons.some(({ kind }) => kind === "status");
}

/** What is left after the noise is the change. */
async function confirm(
  deps: Deps,
  known: Known,
  sight: Glimpse["sight"],
  second: CaptureResult,
  change: string,
): Promise<Look> {
  const shown = await again(deps, known, second);
  const unsure = (why: string): Look => {
    const meta = `A change could not be confirmed (${why}); the next check will tell: ${change}`;
    return { ...sight, complete: false, lines: [...sight.lines, { level: "warn", meta }] };
  };
  if (!second.ok || second.unchanged || "problem" in shown) {
    return unsure("problem" in shown ? shown.problem : "there was none");
  }
  const [before, first] = await Promise.all([seeBefore(deps, known), through(deps, known, sight.snapshot)]);
  if (!before || "problem" in before || "problem" in first) return unsure("its rules show nothing now");
  const [one, other] = [
    { ...first, snapshot: sight.snapshot },
    { ...shown, snapshot: second.snapshot },
  ];
  const memory = await learnTwin(deps, known, one, other);
  const later = { ...sight, snapshot: second.snapshot, lines: [] };
  await follow(deps, known, later, shown.view);
  const twice = await compare(deps, known, before.view, other, memory, later.values);
  const line: LogLine = twice.verdict.changed
    ? changedLine(twice.verdict)
    : { level: "warn", meta: `Flicker: did not hold for a second look: ${change}` };
  return {
    ...sight,
    ...twice,
    snapshot: second.snapshot,
    values: later.values,
    status: second.snapshot.status,
    evidence: second.evidence,
    lines: [...sight.lines, line],
  };
}

/** The first check is taken twice, so that what changes by itself is known from the start. */
async function learnFirst(
  deps: Deps,
  known: Known,
  sight: Glimpse["sight"],
  second: CaptureResult,
): Promise<Look> {
  const meta = "First capture: later ones are compared with it";
  const first: Look = { ...sight, lines: [...sight.lines, { level: "info", meta }] };
  const shown = await again(deps, known, second);
  const once = await through(deps, known, sight.snapshot);
  if (!second.ok || second.unchanged || "problem" in shown || "problem" in once) return first;
  // An error page and a good one aren't two captures of the same page.
  if (second.snapshot.status !== sight.status) return first;
  const [one, other] = [
    { ...once, snapshot: sight.snapshot },
    { ...shown, snapshot: second.snapshot },
  ];
  return { ...first, memory: await learnTwin(deps, known, one, other) };
}

/** A capture, and what its job's rules show of it. */
type Shown = { snapshot: Snapshot; view: View };

/** As bytes where no rule cuts it, in which form it will be kept: to copy all its parts to a thread takes longer. */
const handed = ({ rules }: Known, { snapshot, view }: Shown): View | KeptView =>
  isPlain(rules) ? { kept: toKept(snapshot) } : view;

async function compare(
  deps: Deps,
  known: Known,
  before: View | KeptView,
  after: Shown,
  memory: NoiseMemory | null,
  values: Values | null,
) {
  const pictures = await readPictures(known.album, known.before?.kept.picture ?? null, after.snapshot);
  const { lookup, alertIf } = known;
  const last = values && known.before ? await readLast(deps, known, openView(before)) : null;
  return deps.detector.compare({
    before,
    after: handed(known, after),
    memory,
    pictures,
    lookup,
    alertIf,
    values: values && last && { before: last, after: values },
  });
}

/** What stood in the capture before, by the rules as they are now; of what was missing there, what was read last. */
async function readLast(deps: Deps, { follow, last, before }: Known, view: View): Promise<Values> {
  const values =
    before && (await deps.detector.values({ follow, snapshot: openSnapshot(await before.read()), view }));
  return rememberLast(values ?? {}, last);
}

async function learnTwin(deps: Deps, known: Known, one: Shown, other: Shown): Promise<NoiseMemory> {
  const pictures = await twinPictures(known.album, one.snapshot, other.snapshot);
  return deps.detector.learnTwin({
    first: handed(known, one),
    second: handed(known, other),
    memory: known.memory,
    pictures,
    at: new Date().toISOString(),
  });
}

async function twinPictures(album: Album, one: Snapshot, other: Snapshot): Promise<Pictures> {
  if (!one.picture || !other.picture) return null;
  if (Buffer.compare(one.picture.png, other.picture.png) === 0) return "same";
  const [before, after] = await Promise.all([album.decode(one.picture.png), album.decode(other.picture.png)]);
  return { before, after };
}

async function readPictures(album: Album, kept: Buffer | null, now: Snapshot): Promise<Pictures> {
  if (!kept || !now.picture) return null;
  if (await album.isFileOf(kept, now.picture.png)) return "same";
  const [before, after] = await Promise.all([album.read(kept), album.decode(now.picture.png)]);
  const same = before.width === after.width && Buffer.compare(before.data, after.data) === 0;
  return same ? "same" : { before, after };
}

function seen(known: Known, snapshot: Snapshot, evidence: Evidence): Glimpse["sight"] {
  const seconds = ((snapshot.timing.total ?? 0) / 1000).toFixed(1);
  const scripts = snapshot.scripts.length;
  const how = snapshot.via === "http" ? " by HTTP" : "";
  const meta = `Captured in ${seconds} s${how}, status ${snapshot.status}, ${scripts} script${scripts === 1 ? "" : "s"} loaded`;
  const lines: LogLine[] = [{ level: "info", meta }];
  if (snapshot.picture?.isCut) lines.push({ level: "info", meta: pictureEnds(snapshot.picture.height) });
  return {
    snapshot,
    stands: false,
    status: snapshot.status,
    failure: null,
    verdict: null,
    values: null,
    complete: true,
    memory: known.memory,
    evidence,
    retryAfterSeconds: 0,
    lines,
  };
}

const pictureEnds = (height: number) =>
  `The page is taller than its picture, which ends at ${height.toLocaleString("en")} px; text and HTML are whole`;

function stillStands(known: Known, { seen, evidence }: Extract<CaptureResult, { unchanged: true }>): Look {
  const meta = `Asked by HTTP, status ${seen.status}: the page is the one captured last`;
  const memory = openMemory(known.memory);
  return {
    snapshot: null,
    stands: true,
    stood: memory.waiting.length > 0,
    status: seen.status,
    failure: null,
    verdict: null,
    values: known.follow.length > 0 ? known.last : null,
    complete: true,
    memory: countCheck(memory),
    evidence,
    retryAfterSeconds: 0,
    lines: [
      { level: "info", meta },
      { level: "info", meta: "No change" },
    ],
  };
}

function failed(known: Known, { failure, snapshot }: Extract<CaptureResult, { ok: false }>): Look {
  return {
    snapshot,
    stands: false,
    status: snapshot?.status ?? null,
    failure,
    verdict: null,
    values: null,
    complete: false,
    memory: known.memory,
    evidence: known.request.previous ?? null,
    retryAfterSeconds: (snapshot && askedForPatience(snapshot)) ?? 0,
    lines: [{ level: "error", meta: `Capture failed: ${failure.message}` }],
  };
}

/** The capture stands as evidence, but shows nothing that could be compared: by its job's rules, or by its status. */
function unseen(sight: Look, { problem: message, kind }: Unseen): Look {
  const failure: CaptureFailure = { kind, message };
  const lines: LogLine[] = [...sight.lines, { level: "error", meta: message }];
  return { ...sight, stands: false, failure, complete: false, lines };
}

function rateLimited(sight: Look, snapshot: Snapshot, seconds: number): Look {
  const message = `The site answered ${snapshot.status} and asked to come back in ${seconds} s.`;
  return {
    ...sight,
    failure: { kind: "blocked", message },
    complete: false,
    retryAfterSeconds: seconds,
    lines: [...sight.lines, { level: "warn", meta: message }],
  };
}

const longestPause = 24 * 3600;

/** Seconds a 429 or a 503 asks for; null when the answer asks for none. A 429 that names none means a minute. */
function askedForPatience({ status, headers }: Pick<Snapshot, "status" | "headers">): number | null {
  if (status !== 429 && status !== 503) return null;
  const value = headers.find(([name]) => name === "retry-after")?.[1];
  const date = headers.find(([name]) => name === "date")?.[1];
  if (value === undefined) return status === 429 ? 60 : null;
  const seconds = parseRetryAfter(value, date ? new Date(date) : new Date());
  return seconds === undefined ? 60 : Math.min(seconds, longestPause);
}

function unchangedLine({ ignored }: Verdict): LogLine {
  const places = ignored.length;
  const meta =
    places === 0 ? "No change" : `No change: ${places} volatile place${places === 1 ? "" : "s"} ignored`;
  return { level: "info", meta };
}

function changedLine({ summary }: Verdict): LogLine {
  return { level: "info", meta: `Change: ${summary}` };
}
