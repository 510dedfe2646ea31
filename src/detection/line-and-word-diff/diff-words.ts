import type { Change } from "../verdict/verdict.ts";
import { alignItems } from "./align-ids.ts";
import { commonEnds, itemsIn } from "./hunks.ts";

type Words = NonNullable<Change["words"]>;

// Beyond this many characters word marks don't help: only the equal ends are split off, the rest is marked as one.
export const MAX_LENGTH = 50_000;
// Below this share of common text the pieces are unrelated, and marking "the" as unchanged would mislead.
const MIN_COMMON = 0.2;
// A number with its separators, currency or percent sign is one word.
const WORD =
  /(?:\p{Sc}\s?)?(?<![\p{L}\p{N}_])\d+(?:[.,’'\u00a0\u202f]\d+)*(?![\p{L}\p{N}_])(?:\s?(?:[\p{Sc}%°]|(?:EUR|USD|GBP|CHF|kr|zł|Kč)(?!\p{L})))?|[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu;

/** Marks removed and added words between two texts. Joining the runs without "added" gives `before`. */
export function diffWords(before: string, after: string): Words {
  if (before === after) return before === "" ? [] : [{ op: "same", text: before }];
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return diffEnds(before, after);
  const oldWords = before.match(WORD) ?? [];
  const newWords = after.match(WORD) ?? [];
  const words: Words = [];
  let x = 0;
  let common = 0;
  for (const hunk of alignItems(oldWords, newWords)) {
    const [removed, added] = itemsIn(hunk, oldWords, newWords);
    push(words, "same", oldWords.slice(x, hunk.oldStart));
    push(words, "removed", removed);
    push(words, "added", added);
    x = hunk.oldStart + hunk.oldCount;
  }
  push(words, "same", oldWords.slice(x));
  for (const word of words) if (word.op === "same") common += weight(word.text);
  if (common < MIN_COMMON * Math.max(weight(before), weight(after))) return diffEnds("", "", before, after);
  return joinAcrossSpaces(words);
}

function diffEnds(before: string, after: string, removed = before, added = after): Words {
  const [start, end] = commonEnds(before.length, after.length, (x, y) => before[x] === after[y]);
  const words: Words = [];
  push(words, "same", [before.slice(0, start)]);
  push(words, "removed", [removed.slice(start, removed.length - end)]);
  push(words, "added", [added.slice(start, added.length - end)]);
  push(words, "same", [before.slice(before.length - end)]);
  return words;
}

function weight(text: string): number {
  return text.length - (text.match(/\s/g)?.length ?? 0);
}

function push(words: Words, op: Words[number]["op"], pieces: string[]): void {
  const text = pieces.join("");
  if (text !== "") words.push({ op, text });
}

/** Joins changes that only white space separates: "one two" to "three four" is one change, not two. */
function joinAcrossSpaces(words: Words): Words {
  const joined: Words = [];
  let removed = "";
  let added = "";
  const flush = (): void => {
    push(joined, "removed", [removed]);
    push(joined, "added", [added]);
    removed = "";
    added = "";
  };
  words.forEach((word, i) => {
    if (word.op === "removed") removed += word.text;
    else if (word.op === "added") added += word.text;
    else if (i > 0 && i < words.length - 1 && removed !== "" && added !== "" && word.text.trim() === "") {
      removed += word.text;
      added += word.text;
    } else {
      flush();
      joined.push(word);
    }
  });
  flush();
  return joined;
}
