import { wordsFor } from "../vocabularies/words-for.ts";

// A text may state a number of people; only the number of those present right now is a counter.
const present = `(?:${wordsFor("people")}) (?:are |is |have |sind )?(?:currently |gerade |right now )?(?:${wordsFor("beingPresent")})`;
const nouns = `${wordsFor("counted")}|${present}`;
const number = "\\d[\\d.,'\\u00a0\\u202f ]{0,20}[kKmM]?\\+?\\s?";
const numberFirst = new RegExp(`(?<![\\p{L}\\d])${number}(${nouns})(?!\\p{L})`, "giu");
const nounFirst = new RegExp(`(?<!\\p{L})((?:${nouns})\\s*[:(]\\s*)\\d[\\d.,'\\u00a0\\u202f]*[kKmM]?`, "giu");
const unspaced = new RegExp(`\\d[\\d.,]*\\s?(?=(?:${wordsFor("countedUnspaced")}))`, "gu");
const korean = /((?:조회수?|좋아요|댓글|구독자|추천|공감)\s?[:(]?\s?)\d[\d.,]*[만천]?\s?(?=[회개명건)]|$)/gu;

// Visitors present, by kind: "Online: 12 members, 231 guests".
const isPresence = new RegExp(`(?<!\\p{L})(?:${wordsFor("onlineTitles")})(?!\\p{L})`, "iu");
const presentByKind = new RegExp(
  `(?<![\\p{L}\\d])\\d[\\d.,'\\u00a0\\u202f ]{0,20}(?=(?:${wordsFor("presentKinds")})(?!\\p{L}))`,
  "giu",
);

// A label has few words; in a sentence a number is part of the statement.
const MAX_WORDS = 8;

/** Masks counters in a label, next to the word that says what they count. */
export function maskLabeledCounters(text: string): string {
  if ((text.match(/\p{L}{2,}/gu)?.length ?? 0) > MAX_WORDS) return text;
  const withoutPresence = isPresence.test(text) ? text.replace(presentByKind, "⟨n⟩ ") : text;
  return withoutPresence
    .replace(numberFirst, (_, word: string) => `⟨n⟩ ${stemOf(word)}`)
    .replace(nounFirst, "$1⟨n⟩")
    .replace(unspaced, "⟨n⟩")
    .replace(korean, "$1⟨n⟩");
}

/** The counted noun without the ending that depends on the number: просмотра, просмотров; comment, comments. */
function stemOf(word: string): string {
  return word.slice(0, 4).toLowerCase();
}
