// Whom a reader would write to, call or pay. Whoever changes one of these gains by it, so no mask covers them.
const byForm = new RegExp(
  [
    "(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}",
    // International telephone numbers, IBAN, wallets of Bitcoin, Ethereum and what is written like them.
    "\\+\\d[\\d ()./\\u00a0-]{5,20}\\d",
    "\\b[A-Z]{2}\\d{2}(?: ?[A-Z\\d]{4}){3,7}(?: ?[A-Z\\d]{1,3})?\\b",
    "\\b(?:bc1|ltc1|tb1)[a-z\\d]{25,62}\\b",
    "\\b[13LMDT][1-9A-HJ-NP-Za-km-z]{25,34}\\b",
    "\\b0x[\\da-fA-F]{40}\\b",
  ].join("|"),
  "g",
);
const byLabel =
  /(?<![\p{L}\d])(?:tel|phone|fax|call|mobile|hotline|whatsapp|sms|fon|telefon|tél|téléphone|teléfono|account|acct|konto|kontonummer|sort code|routing|bic|swift|vat|ust-?id|compte|cuenta)(?!\p{L})[^\d\n]{0,16}\d[\d ()./\u00a0-]{4,20}\d/giu;

/** The contacts a text names, and the text without them. */
export function contactsIn(text: string): { named: string[]; rest: string } {
  const named: string[] = [];
  const take = (match: string) => {
    named.push(match);
    return MARK;
  };
  return { named, rest: text.replace(byForm, take).replace(byLabel, take) };
}

const MARK = "⟨contact⟩";

/** A mask laid over all but the contacts. */
export function maskAround(text: string, mask: (text: string) => string): string {
  const { named, rest } = contactsIn(text);
  return named.length === 0 ? mask(text) : mask(rest) + named.join(" ");
}
