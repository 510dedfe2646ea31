import type { Change, Reason } from "../verdict/verdict.ts";
import { excerptDifference } from "./excerpt-difference.ts";
import { cut, trimHalfCharacters } from "./quote.ts";

// A message shows a few lines; a long line is cut to the changed words and their surroundings.
const lineLength = 400;

type Words = NonNullable<Change["words"]>;

type ChangedText = {
  /** What names the row that the text is in. */
  row: string | null;
  removed: string | null;
  added: string | null;
  /** Both texts merged into one, if they have words in common. */
  words: Words;
};

/**
 * Added and removed texts, each once, those of the most severe reason first. With `byRow`, the same texts in two rows
 * are two changes.
 */
export function changedTexts(reasons: Reason[], { byRow = false } = {}): ChangedText[] {
  const seen = new Set<string>();
  return reasons
    .flatMap(({ changes }) => changes)
    .filter(({ moved, before, after, row }) => {
      const key = JSON.stringify([before, after, byRow && row]);
      const isNew = !moved && !seen.has(key) && (before !== null || after !== null);
      seen.add(key);
      return isNew;
    })
    .map((change) => {
      const [removed, added] = excerptDifference(change.before, change.after, lineLength);
      return { row: change.row ?? null, removed, added, words: mergeSides(change, lineLength) };
    });
}

/**
 * Returns both sides of a changed line as one. Long equal stretches are cut to the text next to a change. Empty if
 * nothing is equal.
 */
function mergeSides({ before, after, words = [] }: Change, length: number): Words {
  if (before === null || after === null) return [];
  if (!words.some(({ op, text }) => op === "same" && text.trim() !== "")) return [];
  if (words.every(({ op }) => op === "same")) return [];
  if (before.length + after.length <= length) return words;
  const contextLength = Math.max(20, Math.floor(length / 6));
  const shown: Words = [];
  let remaining = 2 * length;
  for (const [at, { op, text }] of words.entries()) {
    const isFirst = at === 0;
    const isLast = at === words.length - 1;
    let shortened = text;
    if (op !== "same") shortened = cut(text, length / 2);
    else if (text.length > 2 * contextLength)
      shortened = `${isFirst ? "" : trimHalfCharacters(text.slice(0, contextLength))}…${isLast ? "" : trimHalfCharacters(text.slice(-contextLength))}`;
    if (shortened.length > remaining) return [...shown, { op: "same", text: "…" }];
    shown.push({ op, text: shortened });
    remaining -= shortened.length;
  }
  return shown;
}
