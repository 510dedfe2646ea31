import type { Severity } from "#detection/verdict/verdict.ts";
import type { Expected } from "./scenario.ts";

/** The outcome of a check, run by the product or by the detector alone. */
export type Actual = {
  failure: string | null;
  changed: boolean;
  folded: boolean;
  /** Why a change was not alerted; null for an alert. */
  untold: string | null;
  severity: Severity;
  summary: string;
  /** The summaries and changes of the verdict's reasons. */
  reasons: { summary: string; changes: { before: string | null; after: string | null }[] }[];
  /** Differences that were treated as noise. */
  ignored: unknown[];
};

const severities: Severity[] = ["info", "notice", "important", "critical"];

/** What is wrong with a check, in a few words; null if it is what the user should get. */
export function judge(expected: Expected, actual: Actual): string | null {
  const got = outcomeOf(actual);
  if (!fits(expected.is, got)) return `${expected.is} expected, got ${got}${detail(actual)}`;
  const { severity, words = [], says = [] } = expected;
  if (severity && severities.indexOf(actual.severity) < severities.indexOf(severity)) {
    return `${severity} expected, got ${actual.severity}: ${actual.summary}`;
  }
  const failure = actual.failure === null ? [] : [actual.failure];
  const alertTexts = actual.reasons.flatMap(({ summary, changes }) => [
    summary,
    actual.untold ?? "",
    ...changes.flatMap(({ before, after }) => [before ?? "", after ?? ""]),
  ]);
  const missingInSummary = says.find((word) => !holds([actual.summary], word));
  if (missingInSummary !== undefined) return `“${missingInSummary}” is not in the summary: ${actual.summary}`;
  const missing = words.find((word) => !holds([actual.summary, ...failure, ...alertTexts], word));
  return missing === undefined ? null : `“${missing}” is not in the alert: ${actual.summary}`;
}

/** Reasons without a change count as noise, because they only list what they explain. */
function outcomeOf({ failure, changed, folded, untold, ignored, reasons }: Actual): string {
  if (failure !== null) return "failed";
  if (changed && untold !== null) return "suppressed";
  if (changed) return folded ? "digestOnly" : "alerted";
  return ignored.length + reasons.length > 0 ? "noise" : "same";
}

function fits(wanted: Expected["is"], got: string): boolean {
  if (wanted === "changed") return got === "alerted" || got === "digestOnly";
  // The alert is sent with the next check.
  if (wanted === "pending") return got === "digestOnly";
  if (wanted === "same") return got === "same" || got === "noise";
  if (wanted === "notLost") return got !== "same" && got !== "failed";
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
