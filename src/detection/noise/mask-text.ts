import { wordsFor } from "../vocabularies/words-for.ts";

const sum = /^(?:what is )?\d{1,3}\s?[+\-−–×x*]\s?\d{1,3}\s?=\s?\??$/i;

/** Whether a text is not meant for readers: encoded data, font probes, a word repeated to measure a font. */
export function isMachineText(text: string): boolean {
  // Sums that visitors must solve to prove that they are no robots differ for each visitor.
  if (sum.test(text)) return true;
  if (/mmMwWLliI0/.test(text)) return true;
  // A text with a number of ten decimals is not meant for readers.
  if (text.length < 80 && /\d\.\d{10}/.test(text)) return true;
  if (text.length < 40) return false;
  const words = text.split(" ");
  if (words.length >= 10 && new Set(words).size <= 2) return true;
  if (text.length / words.length > 60 && /%[0-9A-F]{2}|[{}[\]"=;]/.test(text)) return true;
  return /^[[{].*[\]}]$/.test(text) && /"[\w.-]+"\s*:/.test(text) && !sentence.test(text);
}

/** Three words in a row, or as much in a script without spaces: somebody may have written that to be read. */
const sentence =
  /(?<!\p{L})\p{L}{2,} \p{L}{2,} \p{L}{2,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{6}/u;

const consentButton = new RegExp(`^(?:${wordsFor("consentButtons")})$`, "iu");

/** Whether a short text is the button of a consent dialog. */
export function isConsentButton(text: string): boolean {
  return text.length <= 60 && consentButton.test(text.trim());
}

const spam = new RegExp(`(?<![A-Za-z\\d_])(?:${wordsFor("spam")})(?![A-Za-z\\d_])`, "iu");

export function isSpam(text: string): boolean {
  return spam.test(text);
}

const everySpam = new RegExp(spam.source, "giu");

/** Number of different spam words in a text. */
export function spamWords(text: string): number {
  return new Set(text.toLowerCase().match(everySpam)).size;
}

const defaced = new RegExp(wordsFor("defacement"), "iu");

export function isDefacement(text: string): boolean {
  return defaced.test(text);
}

const outage = new RegExp(wordsFor("outage"), "iu");

export function isOutage(text: string): boolean {
  return outage.test(text);
}
