import type { Reason } from "../verdict/verdict.ts";
import { withoutRepetitions } from "./without-repetitions.ts";

const remainder = / and (\d+) more changes?(?= in the \w+$|, not shown$|$)/;

/** The headline of a verdict: the worst reason and the next one in words, then how many more changes there are. */
export function summarizeReasons(reasons: Reason[]): string {
  const alerted = reasons.filter((reason) => !reason.folded);
  const news = withoutRepetitions(alerted.length > 0 ? alerted : reasons);
  const [first, ...others] = news;
  if (!first) return "No change";
  // Readers recognize the page's own words: they come right after the worst reason.
  const second = others.find(({ kind }) => kind === "text" || kind === "value") ?? others[0];
  if (!second) return first.summary;
  let left = others.reduce((sum, reason) => (reason === second ? sum : sum + reason.count), 0);
  const named = [first, second].map(({ summary }) =>
    summary.replace(remainder, (_, count: string) => {
      left += Number(count);
      return "";
    }),
  );
  return `${named.join("; ")}${countMore(left, "; ")}`;
}

// In characters: what a reader takes in as one headline. One more difference is named only if it fits.
const LINE = 100;

/**
 * Several differences in one line: as many as fit in words, the first always, and how many more there are. What reads
 * the same is said once.
 */
export function listInWords(texts: readonly string[], count: number): string {
  const [first = "", ...others] = new Set(texts);
  let line = first;
  let named = 1;
  for (const text of others) {
    if (line.length + text.length > LINE) break;
    line += `; ${text}`;
    named++;
  }
  return `${line}${countMore(count - named)}`;
}

/** " and 3 more changes"; nothing if there are none. */
function countMore(count: number, separator = " and "): string {
  return count <= 0 ? "" : `${separator}${count} more ${count === 1 ? "change" : "changes"}`;
}
