import type { AlertIf, Condition, sizeUnits } from "#contract/alert-if.ts";
import { isBackInStock, type Value, type Values } from "#detection/followed-values/followed-values.ts";
import { type Pattern, readPattern } from "#detection/selectors-and-ignore-rules/pattern.ts";
import { Budget } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { describeAtLeast, isAtLeast, isDecisive } from "#detection/severity/severity.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import { foldInvisible } from "#detection/spaces-and-invisible-characters/fold-invisible.ts";
import type { Change, Verdict } from "#detection/verdict/verdict.ts";
import { describeCondition, shown } from "./describe-condition.ts";

type TextCondition = Extract<Condition, { what: "text" }>;
type NumberCondition = Extract<Condition, { what: "number" }>;

/** What conditions are checked against: the verdict, both filtered captures and the followed values. */
export type Seen = {
  verdict: Verdict;
  before: Pick<Snapshot, "text">;
  after: Pick<Snapshot, "text" | "status">;
  values: { before: Values; after: Values } | null;
  /** Whether the response is an error page, of which only the status counts. */
  isError?: boolean;
  /** Limits the processing time of patterns. */
  budget?: Budget;
};

/** Whether the conditions ask for alerts about this status. */
export function watchesStatus(alertIf: AlertIf | null, status: number): boolean {
  return (alertIf?.conditions ?? []).some(
    (condition) =>
      (condition.what === "status" && whyNotStatus(condition.is, status) === null) ||
      (condition.what === "reason" && condition.kinds.includes("status")),
  );
}

/**
 * Says why a change is suppressed, or which conditions it meets. What is back in stock and what the text lookup finds
 * are always alerted. A condition on a value that the job doesn't follow, which only a group can have, doesn't apply.
 */
export function judgeConditions(
  { match, conditions }: AlertIf,
  seen: Seen,
): Pick<Verdict, "untold" | "met" | "blocked"> {
  const { isError, values, verdict } = seen;
  if (!isError && (hasRestock(values) || verdict.reasons.some(({ kind }) => kind === "lookup"))) return {};
  const applied = conditions.filter(
    (condition) =>
      isError || condition.what !== "number" || Object.hasOwn(values?.after ?? {}, condition.name),
  );
  if (applied.length === 0) return {};
  const judged = applied.map((condition) => ({ condition, why: whyNot(condition, seen) }));
  const whys = judged.flatMap(({ why }) => why ?? []);
  const met = judged.filter(({ why }) => why === null).map(({ condition }) => describeCondition(condition));
  if (met.length === judged.length || (match === "any" && met.length > 0)) return { met: met.join(" and ") };
  const isBlocked =
    (match === "all" || judged.length === 1) &&
    judged.some(
      ({ condition, why }) => why !== null && condition.what === "text" && condition.is === "absent",
    );
  return {
    untold: match === "any" ? whys.join("; ") : (whys[0] ?? ""),
    ...(isBlocked && !isError ? { blocked: true as const } : {}),
  };
}

function hasRestock(values: Seen["values"]): boolean {
  return Object.entries(values?.after ?? {}).some(([name, now]) => {
    const then = values?.before[name];
    return then !== undefined && isBackInStock(then, now);
  });
}

/** Returns why a condition doesn't hold, or null if it does. */
function whyNot(condition: Condition, seen: Seen): string | null {
  if (seen.isError && ["text", "number", "only", "size", "similarity", "matches"].includes(condition.what))
    return `the server answered ${seen.after.status}, which says nothing about the content`;
  switch (condition.what) {
    case "text":
      return whyNotText(condition, seen);
    case "number":
      return whyNotNumber(condition, seen.values?.before[condition.name], seen.values?.after[condition.name]);
    case "status":
      return whyNotStatus(condition.is, seen.after.status);
    case "severity": {
      const { severity } = seen.verdict;
      if (isAtLeast(severity, condition.atLeast)) return null;
      return `it is ${severity}, you asked for ${describeAtLeast(condition.atLeast)}`;
    }
    case "reason": {
      const kinds = new Set(decisiveReasons(seen.verdict).map(({ kind }) => kind));
      if (condition.kinds.some((kind) => kinds.has(kind))) return null;
      return `it is ${[...kinds].join(", ") || "a change of another kind"}, you asked for ${condition.kinds.join(", ")}`;
    }
    case "size": {
      const size = sizeOf(seen.after, condition.of);
      return whyNotLimit(size, condition, `it has ${counted(size, condition.of)}`);
    }
    case "similarity": {
      const share = similarityOf(seen);
      return whyNotLimit(share, condition, `similarity is ${shown(share)}%`);
    }
    case "matches": {
      const find = createCounter(condition.text, seen.budget ?? new Budget());
      const count = countIn(seen.after, find);
      return whyNotLimit(count, condition, `${quote(condition.text)} occurs ${counted(count, "times")}`);
    }
    default:
      return whyNotOnly(condition.is, seen.verdict);
  }
}

const counted = (count: number, noun: string) => `${count} ${count === 1 ? noun.replace(/s$/, "") : noun}`;

function whyNotLimit(
  value: number,
  { is, amount }: { is: "below" | "above"; amount: number },
  words: string,
) {
  const holds = is === "below" ? value < amount : value > amount;
  return holds ? null : `${words}, you asked for ${is} ${shown(amount)}`;
}

type Text = Pick<Snapshot, "text">;

function sizeOf({ text }: Text, unit: (typeof sizeUnits)[number]): number {
  if (unit === "lines") return text.length;
  const sizes = text.map((block) =>
    unit === "words" ? (block.text.match(/[^\s]+/g)?.length ?? 0) : Array.from(block.text).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The share of the words in both captures that they have in common, in percent. */
function similarityOf({ before, after }: Pick<Seen, "before" | "after">): number {
  const wordsOf = ({ text }: Text) => text.flatMap((block) => block.text.match(/[^\s]+/g) ?? []);
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const left = new Map<string, number>();
  for (const word of old) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of now) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  const all = old.length + now.length;
  return all === 0 ? 100 : Math.round((2000 * shared) / all) / 10;
}

const quote = (text: string) => `“${text.slice(0, 80).toWellFormed()}”`;
const decisiveReasons = ({ reasons }: Verdict) => reasons.filter(isDecisive);

function whyNotText(
  { is, text }: TextCondition,
  { before, after, budget = new Budget() }: Seen,
): string | null {
  const find = createCounter(text, budget);
  const name = quote(text);
  const count = countIn(after, find);
  if (is === "present") return count > 0 ? null : `${name} is not there`;
  if (is === "absent") return count === 0 ? null : `${name} is there`;
  // What a pattern matches may change while the number of matches stays: v1.2 → v1.3.
  const [then, now] = [matchesIn(before, find), matchesIn(after, find)];
  const hasMore = (one: Map<string, number>, other: Map<string, number>) =>
    [...one].some(([match, times]) => times > (other.get(match) ?? 0));
  if (is === "added") return hasMore(now, then) ? null : `${name} was not added`;
  return hasMore(then, now) ? null : `${name} was not removed`;
}

type FindMatches = (line: string) => string[];

const lineOf = (text: string) => foldInvisible(text).replace(/\s+/g, " ");
const countIn = (source: Text, find: FindMatches): number =>
  source.text.reduce((sum, block) => sum + find(lineOf(block.text)).length, 0);

/** How often each matched text occurs. */
function matchesIn(source: Text, find: FindMatches): Map<string, number> {
  const counts = new Map<string, number>();
  for (const block of source.text)
    for (const match of find(lineOf(block.text))) counts.set(match, (counts.get(match) ?? 0) + 1);
  return counts;
}

/** Returns a function that finds a text in a line: what a pattern matches, words in any case. */
function createCounter(text: string, budget: Budget): FindMatches {
  const pattern: Pattern | undefined = readPattern(text.trim());
  if (pattern) return (line) => pattern(line, budget).map(([from, to]) => line.slice(from, to));
  const wanted = foldInvisible(text).replace(/\s+/g, " ").trim().toLowerCase();
  return (line) =>
    wanted === "" ? [] : Array<string>(line.toLowerCase().split(wanted).length - 1).fill(wanted);
}

function whyNotNumber(
  { name, is, amount, percent }: NumberCondition,
  before: Value | undefined,
  after: Value | undefined,
): string | null {
  const now = after?.number ?? null;
  if (now === null) return `${name} is missing`;
  if (is === "below" || is === "above") {
    const holds = is === "below" ? now < amount : now > amount;
    return holds ? null : `${name} is ${shown(now)}, you asked for ${is} ${shown(amount)}`;
  }
  const then = before?.number ?? before?.last ?? null;
  if (then === null) return `${name} was missing before`;
  if (now === then) return `${name} did not change`;
  const direction = now > then ? "up" : "down";
  const asked = amount === 0 ? is : `${is} by ${shown(amount)}${percent ? "%" : ""}`;
  if (direction !== is) return `${name} went ${direction}, you asked for ${asked}`;
  // Many small steps make a large one: the value at the last alert counts, too.
  const moves = [then, after?.alerted ?? then].map((from) => {
    const moved = is === "up" ? now - from : from - now;
    return percent ? (moved / Math.abs(from)) * 100 : moved;
  });
  // Rounds off floating-point error: a decrease that is shown as 0.3 counts as 0.3.
  if (moves.some((move) => Number(move.toPrecision(12)) >= amount)) return null;
  const [by, sinceAlert] = moves.map((move) => (percent ? `${roundShare(move, amount)}%` : shown(move)));
  const since = by === sinceAlert ? "" : ` (by ${sinceAlert} since the last alert)`;
  return `${name} went ${direction} by ${by}${since}, you asked for ${asked}`;
}

/** One decimal is enough to read, unless the share would then look as if it met the limit. */
function roundShare(share: number, limit: number): string {
  const rounded = Math.round(share * 10) / 10;
  return shown(rounded < limit ? rounded : share);
}

function whyNotStatus(wanted: string, status: number): string | null {
  const holds = /^\dxx$/i.test(wanted)
    ? Math.floor(status / 100) === Number(wanted[0])
    : status === Number(wanted);
  return holds ? null : `status is ${status}, you asked for ${wanted}`;
}

function whyNotOnly(wanted: "additions" | "removals", verdict: Verdict): string | null {
  const part = wanted === "additions" ? "added" : "removed";
  const changes = decisiveReasons(verdict)
    .filter(({ kind }) => kind !== "picture")
    .flatMap((reason) => reason.changes);
  return changes.some((change) => addsOrRemoves(change, part)) ? null : `nothing was ${part}`;
}

/** Whether a change adds (or removes) something. A line whose words were replaced is neither, unless none stayed. */
function addsOrRemoves({ before, after, moved, words }: Change, part: "added" | "removed"): boolean {
  if (moved) return false;
  if (before === null || after === null) return (part === "added" ? before : after) === null;
  if (!words) return false;
  const has = (op: "same" | "added" | "removed") =>
    words.some((run) => run.op === op && /[\p{L}\p{N}]/u.test(run.text));
  return has(part) && (!has(part === "added" ? "removed" : "added") || !has("same"));
}

/**
 * Returns the first condition that can't be parsed or that no change can meet, and why; null if all are valid. `names`
 * are the values that the job follows; a group names values that its jobs may follow.
 */
export function validateConditions(
  { match, conditions }: AlertIf,
  names: string[] | "any",
): { at: number; reason: string } | null {
  for (const [at, condition] of conditions.entries()) {
    const reason = findProblem(condition, names);
    if (reason) return { at, reason };
    if (match === "any") continue;
    const conflicting = conditions.slice(0, at).find((other) => contradicts(other, condition));
    if (conflicting)
      return {
        at,
        reason: `No change can be both “${describeCondition(conflicting)}” and “${describeCondition(condition)}”.`,
      };
  }
  return null;
}

function findProblem(condition: Condition, names: string[] | "any"): string | null {
  if (condition.what === "number") {
    if (condition.name === "") return "Choose a number. Add it under Numbers first.";
    if (names !== "any" && !names.includes(condition.name))
      return `No value named ${condition.name} is followed.`;
    const isMove = condition.is === "up" || condition.is === "down";
    if (!isMove && condition.percent)
      return `“${condition.is}” compares with a number, not a percentage: remove the percent sign, or use “up” or “down”.`;
    if (isMove && condition.amount < 0) return "Enter 0 or more.";
    if (isMove && condition.is === "down" && condition.percent && condition.amount > 100)
      return "A value can’t go down by more than 100%.";
  }
  if (condition.what === "status" && !/^[1-5](\d\d|xx)$/i.test(condition.is))
    return `“${condition.is}” isn’t a status. Use a code like 404 or a class like 5xx.`;
  if (condition.what === "reason" && condition.kinds.length === 0) return "Choose at least one kind.";
  if (condition.what === "similarity" && (condition.amount < 0 || condition.amount > 100))
    return "Enter a percentage from 0 to 100.";
  if ((condition.what === "size" || condition.what === "matches") && condition.amount < 0)
    return "Enter 0 or more.";
  if (condition.what !== "text" && condition.what !== "matches") return null;
  try {
    readPattern(condition.text.trim());
    return null;
  } catch (error) {
    return `“${condition.text.slice(0, 60)}” is not understood: ${(error as Error).message}.`;
  }
}

function contradicts(one: Condition, other: Condition): boolean {
  if (one.what === "text" && other.what === "text") {
    const isSame = one.text.trim().toLowerCase() === other.text.trim().toLowerCase();
    const both = [one.is, other.is].toSorted().join(" ");
    return isSame && ["absent present", "absent added", "added removed"].includes(both);
  }
  if (one.what === "number" && other.what === "number" && one.name === other.name) {
    const is = (wanted: NumberCondition["is"]) => [one, other].find((each) => each.is === wanted);
    const [below, above] = [is("below"), is("above")];
    if (below && above && below.amount <= above.amount) return true;
    return is("up") !== undefined && is("down") !== undefined;
  }
  if (one.what === "status" && other.what === "status") {
    const [a, b] = [one.is.toLowerCase(), other.is.toLowerCase()];
    return a[0] !== b[0] || (a !== b && !a.endsWith("xx") && !b.endsWith("xx"));
  }
  return one.what === "only" && other.what === "only" && one.is !== other.is;
}
