import type { AlertIf, Condition, NumberCondition, TextCondition } from "./condition.ts";
import { foldInvisible } from "./fold-invisible.ts";
import { isBackInStock, type Value, type Values } from "./follow.ts";
import { Budget } from "./rule-budget.ts";
import { type Pattern, readPattern } from "./rules/pattern.ts";
import { sayCondition, shown } from "./say-condition.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Change, severities, type Verdict } from "./verdict.ts";

/** A change as conditions see it: both captures through the job's rules, and the values that are followed. */
export type Seen = {
  verdict: Verdict;
  before: Pick<Snapshot, "text">;
  after: Pick<Snapshot, "text" | "status">;
  values: { before: Values; after: Values } | null;
  /** What answered is an error page: of what it shows nothing counts but its status. */
  isError?: boolean;
  /** What patterns may spend. */
  budget?: Budget;
};

/** Whether a user asks for changes to this status. */
export function watchesStatus(alertIf: AlertIf | null, status: number): boolean {
  return (alertIf?.conditions ?? []).some(
    (condition) =>
      (condition.what === "status" && whyNotStatus(condition.is, status) === null) ||
      (condition.what === "reason" && condition.kinds.includes("status")),
  );
}

/** Why a change is not told, in words; null where it is. What is back in stock is told every time. */
export function judgeConditions({ match, conditions }: AlertIf, seen: Seen): string | null {
  if (conditions.length === 0 || (!seen.isError && returns(seen.values))) return null;
  const whys = conditions.map((condition) => whyNot(condition, seen));
  if (match === "any") return whys.includes(null) ? null : whys.join("; ");
  return whys.find((why) => why !== null) ?? null;
}

function returns(values: Seen["values"]): boolean {
  return Object.entries(values?.after ?? {}).some(([name, now]) => {
    const then = values?.before[name];
    return then !== undefined && isBackInStock(then, now);
  });
}

/** Why one condition does not hold; null where it does. */
function whyNot(condition: Condition, seen: Seen): string | null {
  if (seen.isError && ["text", "number", "only"].includes(condition.what))
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
      if (severities.indexOf(severity) >= severities.indexOf(condition.atLeast)) return null;
      return `it is ${severity}, you asked for ${condition.atLeast}${condition.atLeast === "critical" ? "" : " or graver"}`;
    }
    case "reason": {
      const kinds = new Set(told(seen.verdict).map(({ kind }) => kind));
      if (condition.kinds.some((kind) => kinds.has(kind))) return null;
      return `it is ${[...kinds].join(", ") || "nothing of that kind"}, you asked for ${condition.kinds.join(", ")}`;
    }
    default:
      return whyNotOnly(condition.is, seen.verdict);
  }
}

const told = ({ reasons }: Verdict) => reasons.filter(({ severity }) => severity !== "info");

function whyNotText(
  { is, text }: TextCondition,
  { before, after, budget = new Budget() }: Seen,
): string | null {
  const find = finderOf(text, budget);
  const count = (source: Pick<Snapshot, "text">) =>
    source.text.reduce((sum, block) => sum + find(foldInvisible(block.text).replace(/\s+/g, " ")), 0);
  const now = count(after);
  const name = `“${text.slice(0, 80).toWellFormed()}”`;
  if (is === "present") return now > 0 ? null : `${name} is not there`;
  if (is === "absent") return now === 0 ? null : `${name} is there`;
  const then = count(before);
  if (is === "added") return now > then ? null : `${name} was not added`;
  return now < then ? null : `${name} was not removed`;
}

/** Counts a text in a line: a pattern as it stands, words in any case. */
function finderOf(text: string, budget: Budget): (line: string) => number {
  const pattern: Pattern | undefined = readPattern(text.trim());
  if (pattern) return (line) => pattern(line, budget).length;
  const wanted = foldInvisible(text).replace(/\s+/g, " ").trim().toLowerCase();
  return (line) => (wanted === "" ? 0 : line.toLowerCase().split(wanted).length - 1);
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
  const way = now > then ? "up" : "down";
  const asked = amount === 0 ? is : `${is} by ${shown(amount)}${percent ? " %" : ""}`;
  if (way !== is) return `${name} went ${way}, you asked for ${asked}`;
  const moved = Math.abs(now - then);
  const share = then === 0 ? Number.POSITIVE_INFINITY : (moved / Math.abs(then)) * 100;
  // What is shown as equal counts as equal: 0.3 less is 0.3 less, however its bits fall.
  if (Number((percent ? share : moved).toPrecision(12)) >= amount) return null;
  const by = percent ? `${shown(share)} %` : shown(moved);
  return `${name} went ${way} by ${by}, you asked for ${asked}`;
}

function whyNotStatus(wanted: string, status: number): string | null {
  const holds = /^\dxx$/i.test(wanted)
    ? Math.floor(status / 100) === Number(wanted[0])
    : status === Number(wanted);
  return holds ? null : `status is ${status}, you asked for ${wanted}`;
}

function whyNotOnly(wanted: "additions" | "removals", verdict: Verdict): string | null {
  const changes = told(verdict)
    .filter(({ kind }) => kind !== "picture")
    .flatMap((reason) => reason.changes);
  const other = wanted === "additions" ? "removed" : "added";
  if (changes.length === 0) return `nothing was ${wanted === "additions" ? "added" : "removed"}`;
  const isWrong = changes.some((change) => takesPart(change, other));
  return isWrong ? `something was ${other}, you asked for ${wanted} only` : null;
}

/** Whether a change adds, or removes, something. */
function takesPart({ before, after, moved, words }: Change, part: "added" | "removed"): boolean {
  if (moved) return false;
  if (before === null || after === null) return (part === "added" ? before : after) === null;
  return words ? words.some(({ op }) => op === part) : true;
}

/** Conditions that cannot be understood, or that no change can fulfil, and why; null where all is well. */
export function refuseConditions(
  { match, conditions }: AlertIf,
  names: string[],
): { at: number; reason: string } | null {
  for (const [at, condition] of conditions.entries()) {
    const reason = wrongWith(condition, names);
    if (reason) return { at, reason };
    if (match === "any") continue;
    const rival = conditions.slice(0, at).find((other) => contradicts(other, condition));
    if (rival)
      return {
        at,
        reason: `No change can be both “${sayCondition(rival)}” and “${sayCondition(condition)}”.`,
      };
  }
  return null;
}

function wrongWith(condition: Condition, names: string[]): string | null {
  if (condition.what === "number") {
    if (!names.includes(condition.name))
      return condition.name === ""
        ? "Say which number: name it under Numbers first."
        : `No value of the name ${condition.name} is followed.`;
    const isMove = condition.is === "up" || condition.is === "down";
    if (isMove && condition.amount < 0) return "By how much it moves is 0 or more.";
    if (isMove && condition.is === "down" && condition.percent && condition.amount > 100)
      return "Nothing goes down by more than 100 %.";
  }
  if (condition.what === "status" && !/^[1-5](\d\d|xx)$/i.test(condition.is))
    return `“${condition.is}” is no status: a code as 404, or a class as 5xx.`;
  if (condition.what === "reason" && condition.kinds.length === 0) return "Choose at least one kind.";
  if (condition.what !== "text") return null;
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
