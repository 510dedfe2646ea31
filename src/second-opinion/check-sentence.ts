import type { OpinionBlock } from "#contract/second-opinion.ts";
import { cleanText } from "./clean-text.ts";
import { compoundNumber, numberWords } from "./number-words.ts";

export const maxSentenceLength = 200;

const numberPattern = /\p{N}+(?:[.,:]\p{N}+)*/gu;
const ratioPattern = /(?<!\p{N})\p{N}+(?:[/⁄]\p{N}+)+/gu;
// A number with what changes its meaning: a minus, a currency or unit, and a letter for thousands or millions.
const amountPattern =
  /(?<![\p{L}\p{N}])(?:(?<minus>-|[−±]\s?)?(?<currency>\p{Sc})?\s?)?(?<minusWithin>[-−±])?(?<number>\p{N}+(?:[.,:]\p{N}+)*)(?:(?<magnitude>k|mn?|mio|bn?|mrd|tn?)(?![\p{L}\p{N}]))?(?:\s?(?<unit>[\p{Sc}%‰°]))?/giu;
const wordPattern = /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}]|['’-](?=[\p{L}\p{N}]))*/gu;
// Signs that change what a number means.
const unitPattern = /[\p{Sc}%‰°±−]/gu;
const quotePairs =
  /“([^”]{0,200})”|„([^“”]{0,200})[“”]|"([^"]{0,200})"|«([^»]{0,200})»|»([^«]{0,200})«|「([^」]{0,200})」|(?<!\p{L})[‘']([^‘’']{0,200})[’'](?!\p{L})/gu;
const starters = new Set("the a an".split(" "));
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

const numbersOf = (text: string): string[] => text.normalize("NFKC").match(numberPattern) ?? [];
const wordsOf = (text: string): string[] => text.match(wordPattern) ?? [];
const fold = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/**
 * Why a model's sentence may not be shown; null if it may. Every number, sign of a unit, name and quotation must occur
 * in the cited blocks, because these are what a reader would take for a fact.
 */
export function whyRefused(sentence: string, cited: OpinionBlock[]): string | null {
  if (sentence.length > maxSentenceLength) return "Its sentence is too long.";
  if (sentence === "" || cleanText(sentence) !== sentence.normalize("NFC").trim())
    return "Its sentence has hidden characters, line breaks or no words.";
  if (/[<>[\]{}|\\`*_~#^]|&#?\w+;/.test(sentence)) return "Its sentence contains markup.";
  if (
    /:\/\/|@|www\.|[\p{L}\p{N}][.。․]\p{L}{2,}|(?<![\p{L}\p{N}])\/\p{L}|\/\p{L}+\//iu.test(
      sentence.normalize("NFKC"),
    )
  )
    return "Its sentence contains a link.";
  if ([...sentences.segment(sentence)].length !== 1 || /[.!?…。！？]\s+\P{Z}/u.test(sentence))
    return "It answered with more than one sentence.";
  const texts = cited.map(({ text }) => text);
  return (
    whyNumbersRefused(sentence, cited) ??
    whyQuotesRefused(sentence, texts) ??
    whyNamesRefused(sentence, texts)
  );
}

type Amount = { number: string; minus: boolean; magnitude: string; unit: string };

const amountsOf = (text: string): Amount[] =>
  [...text.normalize("NFKC").matchAll(amountPattern)].map(({ groups = {} }) => ({
    number: groups.number ?? "",
    minus: Boolean(groups.minus ?? groups.minusWithin),
    magnitude: (groups.magnitude ?? "").toLowerCase(),
    unit: groups.unit ?? groups.currency ?? "",
  }));

/** What is left out may be, but nothing is added to a number or exchanged. */
const isSameAmount = (claimed: Amount, known: Amount) =>
  claimed.number === known.number &&
  claimed.magnitude === known.magnitude &&
  (!claimed.minus || known.minus) &&
  (claimed.unit === "" || claimed.unit === known.unit);

function whyNumbersRefused(sentence: string, cited: OpinionBlock[]): string | null {
  const joined = cited.map(({ text }) => text).join("\n");
  const known = new Set(numbersOf(joined));
  const invented = numbersOf(sentence).find((number) => !known.has(number));
  if (invented) return `Its sentence contains ${invented}, which isn’t in what it cites.`;
  const normalized = joined.normalize("NFKC");
  const sign = (sentence.normalize("NFKC").match(unitPattern) ?? []).find((one) => !normalized.includes(one));
  if (sign) return `Its sentence contains ${sign}, which isn’t in what it cites.`;
  const knownAmounts = cited.flatMap(({ text }) => amountsOf(text));
  const changed = amountsOf(sentence).find(
    (amount) => !knownAmounts.some((one) => isSameAmount(amount, one)),
  );
  if (changed) return `Its sentence says something else of ${changed.number} than what it cites.`;
  const ratios = new Set<string>(normalized.match(ratioPattern) ?? []);
  const ratio = (sentence.normalize("NFKC").match(ratioPattern) ?? []).find((one) => !ratios.has(one));
  if (ratio) return `Its sentence contains ${ratio}, which isn’t in what it cites.`;
  const words = new Set(wordsOf(fold(joined)));
  const counted = wordsOf(fold(sentence))
    .flatMap((word) => [word, ...word.split("-")])
    .find((word) => (numberWords.has(word) || compoundNumber.test(word)) && !words.has(word));
  if (counted) return `Its sentence contains “${counted}”, which isn’t in what it cites.`;
  return isTurnedAround(sentence, cited) ? "Its sentence turns before and after around." : null;
}

/** "From X to Y" claims that X was there before and Y is there now. */
function isTurnedAround(sentence: string, cited: OpinionBlock[]): boolean {
  const number = String.raw`(\p{N}+(?:[.,:]\p{N}+)*)`;
  const claims = sentence
    .normalize("NFKC")
    .matchAll(
      new RegExp(
        `\\bfrom\\b[^\\p{N}]{0,30}${number}[^\\p{N}]{0,30}?\\bto\\b[^\\p{N}]{0,30}${number}|${number}[^\\p{N}]{0,20}→[^\\p{N}]{0,20}${number}`,
        "giu",
      ),
    );
  const numbersBy = (signs: OpinionBlock["sign"][]) =>
    new Set(cited.filter(({ sign }) => signs.includes(sign)).flatMap(({ text }) => numbersOf(text)));
  const [removed, added] = [numbersBy(["removed", "moved"]), numbersBy(["added", "moved"])];
  for (const [, from = "", to = "", before = from, after = to] of claims) {
    const isInOneBlock = cited.some(({ text }) => {
      const numbers = numbersOf(text);
      return numbers.includes(before) && numbers.indexOf(after, numbers.indexOf(before) + 1) > 0;
    });
    if (!isInOneBlock && !(removed.has(before) && added.has(after))) return true;
  }
  return false;
}

function whyQuotesRefused(sentence: string, texts: string[]): string | null {
  const citedTexts = texts.map(fold);
  const unquoted = sentence.replaceAll(quotePairs, (_, ...groups: (string | undefined)[]) => {
    const quoted = fold(groups.slice(0, 7).find((group) => group !== undefined) ?? "");
    return quoted !== "" && citedTexts.some((text) => text.includes(quoted)) ? "" : "“";
  });
  return /[“”„"«»「」‘]/.test(unquoted) ? "Its sentence quotes words that aren’t in what it cites." : null;
}

/** Names are words with a capital, and what isn't written in Latin letters, which have capitals. */
function whyNamesRefused(sentence: string, texts: string[]): string | null {
  const known = new Set(wordsOf(fold(texts.join("\n"))));
  const unspaced = fold(texts.join("\n"));
  const isKnown = (word: string) => {
    const plainWord = fold(word);
    const owner = plainWord.replace(/['’]s$/, "");
    return (
      known.has(plainWord) ||
      known.has(owner) ||
      (!/\p{Script=Latin}/u.test(word) && unspaced.includes(plainWord))
    );
  };
  const isName = (word: string) =>
    /\p{Lu}|\p{Lt}/u.test(word) || (/\p{L}/u.test(word) && !/^[\p{Script=Latin}\p{N}\p{M}'’-]+$/u.test(word));
  const [first = "", ...others] = wordsOf(sentence);
  if (first === "") return "Its sentence has no words.";
  const name = others.filter(isName).find((word) => !isKnown(word));
  if (name) return `Its sentence names ${name}, which isn’t in what it cites.`;
  const stem = fold(first).slice(0, 4);
  const isFirstKnown =
    starters.has(fold(first)) ||
    isKnown(first) ||
    (stem.length === 4 && [...known].some((word) => word.startsWith(stem)));
  return isFirstKnown ? null : `Its sentence begins with ${first}, which isn’t in what it cites.`;
}
