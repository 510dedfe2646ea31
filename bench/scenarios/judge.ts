import type { Severity } from "#detection/verdict.ts";
import type { Expected } from "./scenario.ts";

/** What a check came to, whoever ran it. */
export type Actual = {
  failure: string | null;
  changed: boolean;
  folded: boolean;
  severity: Severity;
  summary: string;
  /** Everything the verdict's reasons say. */
  reasons: { summary: string; changes: { before: string | null; after: string | null }[] }[];
  /** Differences that were taken for noise. */
  ignored: unknown[];
};

const severities: Severity[] = ["info", "notice", "important", "critical"];

/** What is wrong with a check, in a few words; null when it is what a user should get. */
export function judge(expected: Expected, actual: Actual): string | null {
  const got = outcomeOf(actual);
  if (!fits(expected.is, got)) return `${expected.is} expected, got ${got}${detail(actual)}`;
  const { severity, words = [], says = [] } = expected;
  if (severity && severities.indexOf(actual.severity) < severities.indexOf(severity)) {
    return `${severity} expected, got ${actual.severity}: ${actual.summary}`;
  }
  const told = actual.reasons.flatMap(({ summary, changes }) => [
    summary,
    ...changes.flatMap(({ before, after }) => [before ?? "", after ?? ""]),
  ]);
  const unsaid = says.find((word) => !holds([actual.summary], word));
  if (unsaid !== undefined) return `“${unsaid}” is not in the summary: ${actual.summary}`;
  const missing = words.find((word) => !holds([actual.summary, ...told], word));
  return missing === undefined ? null : `“${missing}” is not told: ${actual.summary}`;
}

/** Reasons that make no change list what they explain, as noise does. */
function outcomeOf({ failure, changed, folded, ignored, reasons }: Actual): string {
  if (failure !== null) return "failed";
  if (changed) return folded ? "folded" : "told";
  return ignored.length + reasons.length > 0 ? "noise" : "same";
}

function fits(wanted: Expected["is"], got: string): boolean {
  if (wanted === "changed") return got === "told" || got === "folded";
  // The push comes with the next check.
  if (wanted === "later") return got === "folded";
  if (wanted === "same") return got === "same" || got === "noise";
  if (wanted === "seen") return got !== "same" && got !== "failed";
  return wanted === got;
}

function detail({ failure, changed, summary }: Actual): string {
  return failure !== null ? `: ${failure}` : changed ? `: ${summary}` : "";
}

const squeeze = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").toLowerCase();

function holds(texts: string[], word: string): boolean {
  const wanted = squeeze(word);
  return texts.some((text) => squeeze(text).includes(wanted));
}
