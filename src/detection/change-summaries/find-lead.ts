import { clock, date } from "../noise/times.ts";
import type { Change } from "../verdict/verdict.ts";

type Texts = Pick<Change, "before" | "after">;

/**
 * Finds the difference that a headline names: the first one that says more than that a date, a numbering or the
 * punctuation is another one. If all are of that kind, it is the first of all.
 */
export function findLead(changes: readonly Texts[]): number {
  return Math.max(
    0,
    changes.findIndex((change) => !isMinor(change)),
  );
}

function isMinor({ before, after }: Texts): boolean {
  const [old, now] = [before, after].map((text) => withoutMinor(text ?? ""));
  return old === now;
}

/** A text without its dates, times, punctuation and the number in front of it, as of a heading. */
function withoutMinor(text: string): string {
  return text
    .replace(/^\s*\d+(?:\.\d+)*[.)]?\s+(?=\p{L})/u, "")
    .replace(date(), "⟨date⟩")
    .replace(clock, "⟨time⟩")
    .replace(/[\p{P}\s]+/gu, " ")
    .trim();
}
