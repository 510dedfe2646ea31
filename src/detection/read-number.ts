const number = /[-−+]?\d(?:[\d.,'’\u00a0\u202f]*\d)?/u;
const spaced = /[\u00a0\u202f'’]/;

/** The first number in a text, as its language writes it: 1.234,56 €, 1,234.56, 1 234,56, 1'234.50. */
export function readNumber(text: string, language = ""): number | null {
  const plain = plainly(text);
  const found = number.exec(plain);
  if (!found) return null;
  const [token] = found;
  // A sign that follows a letter or a digit is a hyphen: AB-12.
  const isNegative = /^[-−]/.test(token) && !/[\p{L}\d]/u.test(plain[found.index - 1] ?? "");
  const value = read(token.replace(/^[-−+]/, ""), decimalOf(language));
  return isNegative ? -value : value;
}

/** How many numbers stand in a text. */
export function countNumbers(text: string): number {
  return plainly(text).match(new RegExp(number, "gu"))?.length ?? 0;
}

/** With our digits, and with narrow spaces inside of numbers. */
function plainly(text: string): string {
  return text.replace(/\p{Nd}/gu, latinDigit).replace(/(?<=\d) (?=\d{3}(?!\d))/g, "\u202f");
}

function read(token: string, decimal: string): number {
  const parts = token.split(/([.,])/);
  const digits = (piece: string) => piece.replace(new RegExp(spaced, "g"), "");
  const marks = parts.filter((_, at) => at % 2 === 1);
  const last = marks.at(-1);
  if (last === undefined) return Number(digits(token));
  const isMixed = new Set(marks).size > 1;
  const isDecimal = isMixed || (marks.length === 1 && isPoint(last, parts, decimal));
  const whole = parts.filter((_, at) => at % 2 === 0).map(digits);
  if (!isDecimal) return Number(whole.join(""));
  return Number(`${whole.slice(0, -1).join("")}.${whole.at(-1) ?? ""}`);
}

/** Whether one mark parts the whole from its fraction. Three digits behind it may be either: then the language says. */
function isPoint(mark: string, [before = "", , after = ""]: string[], decimal: string): boolean {
  if (after.length !== 3 || before.length > 3 || before === "0" || spaced.test(before)) return true;
  return decimal === mark;
}

/** The sign before a language's fractions; "" where nobody knows. */
function decimalOf(language: string): string {
  try {
    const parts = language === "" ? [] : new Intl.NumberFormat(language).formatToParts(1.5);
    return parts.find(({ type }) => type === "decimal")?.value ?? "";
  } catch {
    return "";
  }
}

/** A digit of any script as one of ours: they stand in tens, the nought first. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
