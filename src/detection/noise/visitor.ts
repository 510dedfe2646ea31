import { wordsFor } from "../vocabularies/words-for.ts";

const personal = new RegExp(`^(?:${wordsFor("personal")})$`, "iu");
const countries = wordsFor("countries");
const country = new RegExp(`(?:^|\\s)(?:${countries})$`, "iu");
const locale = new RegExp(
  `(?<!\\p{L})(?:${wordsFor("languageNames")}|${countries}|[a-z]{2}(?:[-_][a-z]{2})?)(?!\\p{L})`,
  "giu",
);

// A currency without an amount is the one that the visitor sees prices in.
const currency =
  /\p{Sc}?\s?(?<!\p{L})(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|KRW|euros?|(?:us )?dollars?|pounds?(?: sterling)?)(?!\p{L})/giu;

/** Whether a text is a country with at most a language or a verb before it; a longer one may be a headline. */
function isCountry(words: string): boolean {
  return (
    words.split(/\s+/).length <= 4 && (country.test(words) || /(?:^|[\s(-])(?:US|USA|UK)\)?$/.test(words))
  );
}

/** Whether a text consists only of languages and countries: "fr France/Français", "Español – América Latina". */
function isLocale(words: string): boolean {
  const left = words.length <= 60 ? words.replace(currency, "").replace(locale, "") : words;
  return left !== words && !/[\p{L}\p{Sc}%]/u.test(left);
}

/** Whether a boilerplate text depends on the visitor: sign-in, basket, language, platform. */
export function isPersonal(text: string): boolean {
  const words = text.replace(/[\d()+]+/g, " ").trim();
  const isPriced = /\d/.test(text) && text.search(currency) >= 0;
  return words === "" || personal.test(words) || isCountry(words) || (!isPriced && isLocale(words));
}
