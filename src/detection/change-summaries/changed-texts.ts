import type { Change, Reason } from "../verdict/verdict.ts";
import { excerpt, excerptWords } from "./describe-changes.ts";

// A message shows a few lines; a long line is cut to the changed words and their surroundings.
const lineLength = 400;

type ChangedText = {
  /** What names the row that the text is in. */
  row: string | null;
  removed: string | null;
  added: string | null;
  /** Both texts merged into one, if they have words in common. */
  words: NonNullable<Change["words"]>;
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
    .map((change) => ({
      row: change.row ?? null,
      removed: change.before && excerpt(change, "before", lineLength),
      added: change.after && excerpt(change, "after", lineLength),
      words: excerptWords(change, lineLength),
    }));
}
