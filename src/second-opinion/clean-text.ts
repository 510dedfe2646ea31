import { foldInvisible } from "#detection/spaces-and-invisible-characters/fold-invisible.ts";

const comments = /<!--[\s\S]*?(?:-->|$)/g;
// Format characters (also Unicode's block of tags and marks of direction), variation selectors, fillers and private use.
const unseen = /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|\p{Variation_Selector}/gu;

// What browsers draw, although it is removed here: comments that are a page's text, icons, and marks that turn text around.
const drawn = /<!--|[\p{Co}\p{Cn}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a reader may see more of the text than is left of it by cleanText. */
export const losesVisibleText = (text: string): boolean => drawn.test(text.toWellFormed());

/** The text as a reader sees it: without comments, control and invisible characters, on one line. */
export function cleanText(text: string): string {
  return foldInvisible(text.toWellFormed().replace(comments, " "))
    .replace(/\p{Cc}/gu, " ")
    .replace(unseen, "")
    .replace(/\s+/g, " ")
    .trim();
}
