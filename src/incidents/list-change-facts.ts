import { isDecisive } from "#detection/severity/severity.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";

type Alerted = Pick<Verdict, "severity" | "reasons" | "findings" | "met" | "partial" | "blocked">;

/** Longer texts and lists may have been cut when they were stored. */
const limits = { text: 9_000, reasons: 150 };

/**
 * Everything that a change is alerted for, in its exact words; null if that isn't known completely, or if the change
 * must be alerted for itself: a possible attack, or a finding of security.
 */
export function listChangeFacts(verdict: Alerted): Set<string> | null {
  const { severity, reasons, findings, met, partial, blocked } = verdict;
  if (severity === "critical" || findings.some(isDecisive) || partial || blocked) return null;
  const alerted = reasons.filter((reason) => isDecisive(reason) && !reason.folded);
  if (alerted.length === 0 || reasons.length > limits.reasons) return null;
  const facts = new Set<string>(met === undefined ? [] : [JSON.stringify(["met", met])]);
  for (const { kind, changes, count } of alerted) {
    if (changes.length === 0 || changes.length < count) return null;
    for (const { before, after, moved = false, row = "" } of changes) {
      const length = (before?.length ?? 0) + (after?.length ?? 0);
      if ((before === null && after === null) || length > limits.text) return null;
      facts.add(JSON.stringify([kind, before, after, moved, row]));
    }
  }
  return facts;
}
