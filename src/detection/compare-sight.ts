import { compareText, type TextChange, type TextComparison } from "./compare-text.ts";
import type { Page } from "./page.ts";

/** Compares what readers see apart from what they do not, where browsers said which is which. */
export function compareSight(older: Page, newer: Page): TextComparison {
  if (!older.isRendered || !newer.isRendered) return compareText(older, newer);
  const seen = compareText(only(older, false), only(newer, false));
  const unseen = compareText(only(older, true), only(newer, true));
  markEchoes(seen.changes, unseen.changes);
  return {
    ...seen,
    changes: [...seen.changes, ...unseen.changes],
    masked: [...seen.masked, ...unseen.masked],
  };
}

function only(page: Page, unseen: boolean): Page {
  return { ...page, blocks: page.blocks.filter((block) => block.unseen === unseen) };
}

/** Text that came into sight went from where it was hidden: that is told once, as what readers see. */
function markEchoes(seen: TextChange[], unseen: TextChange[]): void {
  const came = new Set(seen.map((change) => change.after?.text));
  const went = new Set(seen.map((change) => change.before?.text));
  for (const change of unseen) {
    const { before, after } = change;
    if ((!before || came.has(before.text)) && (!after || went.has(after.text))) change.noise ??= "hidden";
  }
}
