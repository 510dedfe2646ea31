const sign = "[+\\-−–±]";
const percent = `${sign}\\s?\\d+(?:[.,]\\d+)?\\s?%|\\(\\s?${sign}?\\s?\\d+(?:[.,]\\d+)?\\s?%\\s?\\)`;
const quote = new RegExp(`${percent}|[▲▼△▽]\\s?\\d|\\d\\s?[▲▼△▽]`, "u");

// A quote is a name and numbers; whoever writes a sentence says more.
const MAX_WORDS = 6;

/** Whether a text is a market's quote: a number with how far it rose or fell. */
export function isQuote(text: string): boolean {
  return quote.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) <= MAX_WORDS;
}
