import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import type { Block } from "../html-parsing/page.ts";
import type { TextChange } from "./pair-blocks.ts";

// What people watch for a state is short: a price, stock, a date. A difference of more text or more pieces is another
// version of the page.
const MAX_STATE_LENGTH = 120;
const MAX_STATE_PIECES = 4;
const MAX_VALUE_LENGTH = 40;

/** Marks the news in the main content that is too large for a state; a short value that replaces another stays one. */
export function markLarge(news: TextChange[]): void {
  const inContent = news.filter(({ before, after }) => !isOutsideContent((after ?? before) as Block));
  const lengthOf = ({ before, after }: TextChange) =>
    Math.max(before?.key.length ?? 0, after?.key.length ?? 0);
  const length = inContent.reduce((sum, change) => sum + lengthOf(change), 0);
  if (inContent.length <= MAX_STATE_PIECES && length <= MAX_STATE_LENGTH) return;
  const isValue = (change: TextChange) =>
    change.before !== null && change.after !== null && lengthOf(change) <= MAX_VALUE_LENGTH;
  const mayBeStates = inContent.filter(isValue).length <= MAX_STATE_PIECES;
  for (const change of inContent) if (!mayBeStates || !isValue(change)) change.large = true;
}
