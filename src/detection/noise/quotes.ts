const sign = "[+\\-−–±]";
const percent = `${sign}\\s?\\d+(?:[.,]\\d+)?\\s?%|\\(\\s?${sign}?\\s?\\d+(?:[.,]\\d+)?\\s?%\\s?\\)`;
const quote = new RegExp(`${percent}|[▲▼△▽]\\s?\\d|\\d\\s?[▲▼△▽]`, "u");

// One of many quotes in a row, as in a stock ticker: BTC $63,034.51 0.92 %.
const tickerQuote = /\p{Sc}\s?\d[\d.,]*[^%\p{Sc}]{0,60}%/gu;
const MIN_TICKER_QUOTES = 3;

// A quote is a name and numbers; a sentence has more words.
const MAX_WORDS = 6;

/** Whether a text is a market quote: a number with its rise or fall. */
export function isQuote(text: string): boolean {
  if ((text.match(tickerQuote)?.length ?? 0) >= MIN_TICKER_QUOTES) return true;
  return quote.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) <= MAX_WORDS;
}

const figure = /[+\-−–±▲▼△▽]?\s?\p{Sc}?\s?\d[\d.,'\u00a0\u202f]*\s?[%▲▼△▽]?/gu;

/** Masks the figures of a quote and the direction in which they moved. */
export function maskQuote(text: string): string {
  return text
    .replace(figure, " ⟨n⟩")
    .replace(/[▲▼△▽]/g, "")
    .replace(/\s+/g, " ");
}
