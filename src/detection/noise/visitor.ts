import { lazy, placesAndLanguages } from "../vocabularies/locale-words.ts";
import { wordsFor } from "../vocabularies/words-for.ts";

const personal = new RegExp(`^(?:${wordsFor("personal")})$`, "iu");
const region = new RegExp(`^(?:${wordsFor("regions")})$`, "iu");
const code = /^[a-z]{2}(?:[-_][a-z]{2})?$/;

// A currency without an amount is the one that the visitor sees prices in.
const currency =
  /\p{Sc}?\s?(?<!\p{L})(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|KRW|euros?|(?:us )?dollars?|pounds?(?: sterling)?)(?!\p{L})/giu;

// Names of places and languages have at most this many words.
const MAX_WORDS = 5;
const names = lazy(() => new Set([...placesAndLanguages()].map((name) => wordsOf(name).join(" "))));

/** Whether a text consists only of languages, countries and currencies: "fr France/Français", "Deutschland | EUR €". */
function isLocale(text: string): boolean {
  const rest = text.replace(currency, " ");
  if (text.length > 60 || /[\p{Sc}%]/u.test(rest)) return false;
  const words = wordsOf(rest);
  for (let at = 0; at < words.length; ) {
    const length = lengthOfName(words, at);
    if (length === 0) return false;
    at += length;
  }
  return words.length > 0 || rest !== text;
}

/** How many words from a position on are the longest name of a place or a language there; 0 if none is. */
function lengthOfName(words: string[], at: number): number {
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length--) {
    const name = words.slice(at, at + length).join(" ");
    if (names().has(name) || region.test(name) || code.test(name)) return length;
  }
  return 0;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+(?:['’.-][\p{L}\p{M}]+)*/gu) ?? [];
}

/** Whether a boilerplate text depends on the visitor: sign-in, basket, language, country. */
export function isPersonal(text: string): boolean {
  const words = text.replace(/[\d()+]+/g, " ").trim();
  const isPriced = /\d/.test(text) && text.search(currency) >= 0;
  return words === "" || personal.test(words) || (!isPriced && isLocale(words));
}
