const sign = "[+\\-−–±]";
const percent = `${sign}\\s?\\d+(?:[.,]\\d+)?\\s?%|\\(\\s?${sign}?\\s?\\d+(?:[.,]\\d+)?\\s?%\\s?\\)`;
const quote = new RegExp(`${percent}|[▲▼△▽]\\s?\\d|\\d\\s?[▲▼△▽]`, "u");

// One of many in a row, as a tape runs: BTC $63,034.51 0.92 %.
const onTape = /\p{Sc}\s?\d[\d.,]*[^%\p{Sc}]{0,60}%/gu;
const TAPE = 3;

// A quote is a name and numbers; whoever writes a sentence says more.
const MAX_WORDS = 6;

/** Whether a text is a market's quote: a number with how far it rose or fell. */
export function isQuote(text: string): boolean {
  if ((text.match(onTape)?.length ?? 0) >= TAPE) return true;
  return quote.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) <= MAX_WORDS;
}

const figure = /[+\-−–±▲▼△▽]?\s?\p{Sc}?\s?\d[\d.,'\u00a0\u202f]*\s?[%▲▼△▽]?/gu;

/** A quote without its figures, the way they went included. */
export function maskQuote(text: string): string {
  return text
    .replace(figure, " ⟨n⟩")
    .replace(/[▲▼△▽]/g, "")
    .replace(/\s+/g, " ");
}
