import type { Page } from "../html-parsing/page.ts";
import { compareText, type TextChange, type TextComparison } from "./compare-text.ts";

/** Compares visible and invisible text separately, if browsers recorded for both pages which is which. */
export function compareVisibleText(older: Page, newer: Page): TextComparison {
  if (!older.isRendered || !newer.isRendered) return compareText(older, newer);
  const visible = compareText(filterBlocks(older, false), filterBlocks(newer, false));
  const invisible = compareText(filterBlocks(older, true), filterBlocks(newer, true));
  markEchoes(visible.changes, invisible.changes);
  return {
    ...visible,
    changes: [...visible.changes, ...invisible.changes],
    masked: [...visible.masked, ...invisible.masked],
  };
}

function filterBlocks(page: Page, unseen: boolean): Page {
  return { ...page, blocks: page.blocks.filter((block) => block.unseen === unseen) };
}

/** Text that becomes visible or invisible differs in both lists; marks the invisible one, to report it only once. */
function markEchoes(visible: TextChange[], invisible: TextChange[]): void {
  const addedTexts = new Set(visible.map((change) => change.after?.text));
  const removedTexts = new Set(visible.map((change) => change.before?.text));
  for (const change of invisible) {
    const { before, after } = change;
    if ((!before || addedTexts.has(before.text)) && (!after || removedTexts.has(after.text)))
      change.noise ??= "hidden";
  }
}
