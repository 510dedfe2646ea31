import { isBackInStock, type Value, type Values } from "./follow.ts";
import { asListed } from "./noise/as-listed.ts";
import { idOf } from "./noise/said.ts";
import { emptyMemory, type NoiseMemory, type Observation, recallSaid } from "./noise-memory.ts";
import { type Reason, type Severity, severities, type Verdict, withIgnored } from "./verdict.ts";

export type ValuesPair = { before: Values; after: Values };

/** The values that are others now, as the memory knows them. */
export function observeValues(values: ValuesPair): Observation[] {
  return changedIn(values).map(({ name, old, now }) => observe(name, old, now));
}

/**
 * A verdict that also tells of the values that are followed: another one is a change by itself, but where the user called
 * that noise.
 */
export function withValues(
  compared: Verdict,
  before: Values,
  after: Values,
  memory: NoiseMemory = emptyMemory(),
): Verdict {
  const reasons: Reason[] = [];
  const ignored = changedIn({ before, after }).flatMap(({ name, old, now }) => {
    const reason = reasonOf(name, old, now);
    const seen = observe(name, old, now);
    const said = recallSaid(memory, seen, reason.severity !== "notice");
    if (!said) reasons.push(reason);
    return said ? [{ place: seen.place, before: seen.before, after: seen.after, ...asListed(said) }] : [];
  });
  const verdict = withIgnored(compared, ignored);
  if (reasons.length === 0) return verdict;
  const said = reasons.map(({ summary }) => summary).join("; ");
  const rest = verdict.reasons.filter(({ severity }) => severity !== "info");
  const isSaid = rest.every((reason) => isCovered(reason, reasons));
  const grave = [verdict, ...reasons].map(({ severity }) => severities.indexOf(severity));
  return {
    ...verdict,
    changed: true,
    folded: false,
    severity: severities[Math.max(...grave)] ?? "notice",
    summary: verdict.changed && !isSaid ? `${said}; ${verdict.summary}` : said,
    reasons: [...reasons, ...verdict.reasons],
  };
}

function changedIn({ before, after }: ValuesPair): { name: string; old: Value; now: Value }[] {
  return Object.entries(after).flatMap(([name, now]) => {
    const old = before[name];
    return old && isNews(old, now) ? [{ name, old, now }] : [];
  });
}

function observe(name: string, { text: before }: Value, { text: after }: Value): Observation {
  return { place: `followed ${name}`, before, after, frame: false };
}

function isNews(before: Value, after: Value): boolean {
  if (before.number !== null && after.number !== null) return before.number !== after.number;
  return before.text !== after.text;
}

function reasonOf(name: string, before: Value, after: Value): Reason {
  const [then, now] = [before.text, after.text];
  const isBack = isBackInStock(before, after);
  const severity: Severity = isBack ? "important" : "notice";
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

/** Whether a reason says no more than what was said of the values. */
function isCovered({ changes, count }: Reason, values: Reason[]): boolean {
  const holds = (text: string | null, part: string | null) =>
    text === part || (text !== null && part !== null && text.includes(part));
  return (
    count === changes.length &&
    changes.every(({ before, after }) =>
      values.some(({ changes: [one] }) => one && holds(before, one.before) && holds(after, one.after)),
    )
  );
}
