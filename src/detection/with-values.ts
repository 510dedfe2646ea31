import { isBackInStock, type Value, type Values } from "./follow.ts";
import { type Reason, type Severity, severities, type Verdict } from "./verdict.ts";

/** A verdict that also tells of the values that are followed: another one is a change by itself. */
export function withValues(verdict: Verdict, before: Values, after: Values): Verdict {
  const reasons = Object.entries(after).flatMap(([name, now]) => {
    const then = before[name];
    return then && isNews(then, now) ? [reasonOf(name, then, now)] : [];
  });
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
  return { kind: "value", severity, summary, changes: [{ where: name, before: then, after: now }], count: 1 };
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
