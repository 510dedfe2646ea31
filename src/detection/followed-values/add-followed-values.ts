import { describeChanges } from "../change-summaries/describe-changes.ts";
import { summarizeReasons } from "../change-summaries/summarize-reasons.ts";
import { idOf } from "../noise-memory/feedback.ts";
import { emptyMemory, type NoiseMemory, recallFeedback } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { highestSeverity, isDecisive, isMild, severityOf } from "../severity/severity.ts";
import { addIgnored, type Reason, type Verdict } from "../verdict/verdict.ts";
import { isBackInStock, type Value, type Values } from "./followed-values.ts";

export type ValuesPair = { before: Values; after: Values };

/** Converts changed values to observations for the noise memory. */
export function observeValues(values: ValuesPair): Observation[] {
  return findChangedValues(values).map(({ name, old, now }) => observe(name, old, now));
}

/** Adds followed values to a verdict: a changed value is a change by itself, unless the user marked that as noise. */
export function addFollowedValues(
  compared: Verdict,
  before: Values,
  after: Values,
  memory: NoiseMemory = emptyMemory(),
): Verdict {
  const reasons: Reason[] = [];
  const ignored = findChangedValues({ before, after }).flatMap(({ name, old, now }) => {
    const reason = createReason(name, old, now);
    const seen = observe(name, old, now);
    const feedback = recallFeedback(memory, seen, !isMild(reason));
    if (!feedback) reasons.push(reason);
    return feedback ? [{ place: seen.place, before: seen.before, after: seen.after, ...feedback }] : [];
  });
  const verdict = addIgnored(compared, ignored);
  if (reasons.length === 0) return verdict;
  const valueSummary = reasons.map(({ summary }) => summary).join("; ");
  const others = verdict.reasons
    .filter((one) => isDecisive(one) && !one.folded)
    .flatMap((reason) => describeUncovered(reason, reasons) ?? []);
  return {
    ...verdict,
    changed: true,
    folded: false,
    severity: highestSeverity([verdict, ...reasons]),
    summary: [valueSummary, ...(others.length > 0 ? [summarizeReasons(others)] : [])].join("; "),
    reasons: [...reasons, ...verdict.reasons],
  };
}

function findChangedValues({ before, after }: ValuesPair): { name: string; old: Value; now: Value }[] {
  return Object.entries(after).flatMap(([name, now]) => {
    const old = before[name];
    return old && isChanged(old, now) ? [{ name, old, now }] : [];
  });
}

function observe(name: string, { text: before }: Value, { text: after }: Value): Observation {
  return { place: `followed ${name}`, before, after, frame: false };
}

function isChanged(before: Value, after: Value): boolean {
  if (before.number !== null && after.number !== null) return before.number !== after.number;
  return before.text !== after.text;
}

function createReason(name: string, before: Value, after: Value): Reason {
  const [then, now] = [before.text, after.text];
  const isBack = isBackInStock(before, after);
  const severity = isBack ? severityOf.backInStock : severityOf.followedValueChanged;
  const summary =
    now === null
      ? `${name} is missing, it was ${then}`
      : isBack
        ? `Back in stock${then === null ? "" : `: it was ${then}`}`
        : then === null
          ? `${name} is there again: ${now}`
          : `${name} ${then} → ${now}`;
  const change = { id: idOf(observe(name, before, after)), where: name, before: then, after: now };
  return { kind: "value", severity, summary, changes: [change], count: 1 };
}

/** What a reason says beyond the followed values; null if it says no more than they do. */
function describeUncovered(reason: Reason, values: Reason[]): Reason | null {
  const { kind, changes, count } = reason;
  const holds = (text: string | null, part: string | null) =>
    text === part || (text !== null && part !== null && text.includes(part));
  const uncovered = changes.filter(
    ({ before, after }) =>
      !values.some(({ changes: [one] }) => one && holds(before, one.before) && holds(after, one.after)),
  );
  const left = count - changes.length + uncovered.length;
  if (left === 0) return null;
  if (left === count || kind !== "text") return reason;
  return { ...reason, summary: describeChanges(uncovered, left), changes: uncovered, count: left };
}
