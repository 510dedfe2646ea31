const currencyNames = "EUR|USD|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|BRL|MXN|ARS|CLP|COP|ZAR";
const number = /\d(?:[\d.,'’\u00a0\u202f]*\d)?|(?<![\p{L}\d.,])[.,]\d{1,3}(?!\d)/u;
// A minus belongs to the number unless a letter or a digit is before it, as in AB-12. A currency may come between. If a
// space does, the minus must not follow a word, as in "Lamp - 3 left".
const currencyBetween = String.raw`(?:(?:[A-Z]{0,3}\p{Sc}|${currencyNames})\s?)?`;
const minus = new RegExp(
  String.raw`(?:(?:^|[^\p{L}\d])[-−–‐‑－]|(?:^|[^\p{L}\d\s])\s*[-−–‐‑－]\s)${currencyBetween}$`,
  "u",
);
export const currencySign = String.raw`(?:\p{Sc}|\b(?:${currencyNames})\b|\b(?:kr|zł|Kč|Ft|R\$))`;
const money = String.raw`(?:${currencySign}\s?\d[\d.,]*\d|\d[\d.,]*\d\s?${currencySign})`;
const price = new RegExp(String.raw`${currencySign}\s?[.,]?\d|\d\s?${currencySign}`, "iu");
const prices = new RegExp(String.raw`${currencySign}\s?[.,]?\d[\d.,]*|\d[\d.,]*\s?${currencySign}`, "giu");
const spaced = /[\u00a0\u202f'’]/;

/** Reads the first number in a text, in the notation of its language: 1.234,56 €, 1,234.56, 1 234,56, 1'234.50. */
export function readNumber(text: string, language = "", decimal = decimalOf(language)): number | null {
  const plain = normalizeDigits(text);
  const found = number.exec(plain);
  if (!found) return null;
  // "1.299,-" says by its end that the point separates thousands.
  const [, end] = /^([.,])[-–−]/.exec(plain.slice(found.index + found[0].length)) ?? [];
  const value = parseNumber(found[0], end ?? decimal);
  return minus.test(plain.slice(0, found.index)) ? -value : value;
}

/** Whether a text contains a price: a number with a currency. */
export const hasPrice = (text: string): boolean => /\d/.test(text) && price.test(text);

/** The decimal separator that most of a page's prices use, those with two decimals; "" if they don't say. */
export function findDecimal(text: string): string {
  const votes = { ".": 0, ",": 0 };
  for (const [shown] of text.matchAll(new RegExp(money, "giu"))) {
    const separator = /([.,])\d{2}(?![\d.,])/.exec(shown)?.[1];
    if (separator === "." || separator === ",") votes[separator]++;
  }
  if (votes["."] === votes[","]) return "";
  return votes["."] > votes[","] ? "." : ",";
}

/** How many prices a text contains, those at both ends of a range too. */
export const countPrices = (text: string): number => normalizeDigits(text).match(prices)?.length ?? 0;

export function countNumbers(text: string): number {
  return normalizeDigits(text).match(new RegExp(number, "gu"))?.length ?? 0;
}

/** Converts digits to 0–9, the spaces inside numbers to narrow ones, and a currency as decimal separator: 12€99. */
function normalizeDigits(text: string): string {
  const separator = text.includes(".") ? "," : ".";
  return text
    .replace(/\p{Nd}/gu, latinDigit)
    .replace(/(?<=\d) (?=\d{3}(?!\d))/g, "\u202f")
    .replace(/(?<=\d)(\p{Sc})(\d\d)(?!\d)/gu, `${separator}$2$1`);
}

function parseNumber(token: string, decimal: string): number {
  const parts = token.split(/([.,])/);
  const digits = (piece: string) => piece.replace(new RegExp(spaced, "g"), "");
  const separators = parts.filter((_, at) => at % 2 === 1);
  const last = separators.at(-1);
  if (last === undefined) return Number(digits(token));
  const isMixed = new Set(separators).size > 1;
  const isDecimal = isMixed || (separators.length === 1 && isDecimalPoint(last, parts, decimal));
  const whole = parts.filter((_, at) => at % 2 === 0).map(digits);
  if (!isDecimal) return Number(whole.join(""));
  return Number(`${whole.slice(0, -1).join("")}.${whole.at(-1) ?? ""}`);
}

/**
 * Whether a single separator is the decimal point. If three digits follow, it may also separate thousands; then the
 * language decides.
 */
function isDecimalPoint(separator: string, [before = "", , after = ""]: string[], decimal: string): boolean {
  if (after.length !== 3 || before.length > 3 || ["", "0"].includes(before) || spaced.test(before))
    return true;
  return decimal === separator;
}

/** Returns a language's decimal separator; "" if unknown. */
function decimalOf(language: string): string {
  try {
    const parts = language === "" ? [] : new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.find(({ type }) => type === "decimal")?.value ?? "";
  } catch {
    return "";
  }
}

/** Converts a digit of any script to 0–9. Unicode has them in groups of ten, zero first. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
