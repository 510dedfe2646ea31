import { MAX_IGNORED_SHOWN } from "../change-summaries/excerpt-difference.ts";
import type { Change, Hunk, Reason, Verdict } from "./verdict.ts";

// Two pages of 10 MiB can differ completely. Nobody reads a difference of that size, and every execution stores one.
const limits = { text: 10_000, reasons: 500_000, hunks: 1_000_000, ignored: MAX_IGNORED_SHOWN + 2 };
// Texts and lists by the name of their field; other texts have `limits.text` characters at most.
const textLimits: Record<string, number> = { where: 2_000, place: 2_000, said: 200, says: 500 };
for (const name of ["summary", "untold", "met", "value"]) textLimits[name] = 1_000;
const listLimits: Record<string, number> = {
  reasons: 200,
  ignored: 2_000,
  findings: 500,
  often: 500,
  hunks: 20_000,
  regions: 2_000,
  only: 500,
  hidden: 500,
};
// Every execution stores a verdict, so only its first differing lines and ignored differences are stored.
const storedLimits = { hunks: 100_000, ignored: 100 };

/** Shortens a verdict for storage: within the limits for display, with fewer hunks and ignored differences. */
export function boundForStorage(verdict: Verdict): Verdict {
  const bounded = boundVerdict(verdict);
  return {
    ...bounded,
    hunks: boundHunks(bounded.hunks, storedLimits.hunks),
    ignored: bounded.ignored.slice(0, storedLimits.ignored),
  };
}

/** Limits the size of a verdict: cuts long texts and lists, keeps the most severe reasons; counts remain exact. */
export function boundVerdict({ reasons, hunks, ignored, ...others }: Verdict): Verdict {
  return {
    ...bound(others, "", limits.text),
    reasons: boundReasons(reasons),
    hunks: boundHunks(hunks, limits.hunks),
    ignored: bound(ignored, "ignored", limits.ignored),
  };
}

/** Cuts the texts and lists in a value, by the names of their fields; other texts to `length` characters. */
function bound<Value>(value: Value, name: string, length: number): Value;
function bound(value: unknown, name: string, length: number): unknown {
  if (typeof value === "string") return cut(value, textLimits[name] ?? length);
  if (Array.isArray(value)) return value.slice(0, listLimits[name]).map((item) => bound(item, name, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, bound(inner, field, length)]),
  );
}

/** Keeps the first changes of each reason, up to a total number of characters. */
function boundReasons(reasons: Reason[]): Reason[] {
  let left = limits.reasons;
  return reasons.slice(0, listLimits.reasons).map((reason) => {
    const changes: Change[] = [];
    for (const change of reason.changes) {
      const bounded = boundChange(change);
      left -= sizeOf(bounded);
      if (left < 0) break;
      changes.push(bounded);
    }
    return { ...reason, summary: cut(reason.summary, textLimits.summary), changes };
  });
}

function boundChange({ words, ...change }: Change): Change {
  const isLong = (change.before?.length ?? 0) + (change.after?.length ?? 0) > limits.text;
  const texts = bound(change, "", limits.text);
  return words ? { ...texts, words: isLong ? boundWords(words) : words } : texts;
}

/** Keeps the first changed words and the text before them; of a long unchanged run, only the end. */
function boundWords(words: NonNullable<Change["words"]>): NonNullable<Change["words"]> {
  const bounded: NonNullable<Change["words"]> = [];
  let left = 2 * limits.text;
  for (const { op, text } of words) {
    const short = op === "same" && text.length > 400 ? `…${text.slice(-400)}` : cut(text);
    left -= short.length;
    if (left < 0) break;
    bounded.push({ op, text: short });
  }
  return bounded;
}

/** Keeps at most the given number of characters. */
function boundHunks(hunks: Hunk[], characters: number): Hunk[] {
  let left = characters;
  const bounded: Hunk[] = [];
  for (const { removed, added, ...position } of hunks.slice(0, listLimits.hunks)) {
    const take = (lines: string[]) =>
      lines
        .map((line) => cut(line))
        .filter((line) => {
          left -= line.length + 8;
          return left > 0;
        });
    bounded.push({ ...position, removed: take(removed), added: take(added) });
    if (left <= 0) break;
  }
  return bounded;
}

function sizeOf({ where, before, after, words = [] }: Change): number {
  const texts = [where, before ?? "", after ?? "", ...words.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + text.length + 16, 0);
}

function cut(text: string, length = limits.text): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
