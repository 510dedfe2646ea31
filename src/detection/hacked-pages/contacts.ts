import { wordsFor } from "../vocabularies/words-for.ts";

// Contacts that a reader would write to, call or pay. An attacker gains by changing them, so no mask covers them.
const contactFormat = new RegExp(
  [
    "(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}",
    // International telephone numbers, IBANs, wallets of Bitcoin, Ethereum and currencies with similar addresses.
    "\\+\\d[\\d ()./\\u00a0-]{5,20}\\d",
    "\\b[A-Z]{2}\\d{2}(?: ?[A-Z\\d]{4}){3,7}(?: ?[A-Z\\d]{1,3})?\\b",
    "\\b(?:bc1|ltc1|tb1)[a-z\\d]{25,62}\\b",
    "\\b[13LMDT][1-9A-HJ-NP-Za-km-z]{25,34}\\b",
    "\\b0x[\\da-fA-F]{40}\\b",
  ].join("|"),
  "g",
);
const labeledNumber = new RegExp(
  `(?<![\\p{L}\\d])(?:${wordsFor("contactLabels")})(?!\\p{L})[^\\d\\n]{0,16}\\d[\\d ()./\\u00a0-]{4,20}\\d`,
  "giu",
);

/** Finds the contacts that a text names, and the text with a mark in place of each. */
export function contactsIn(text: string): { named: string[]; rest: string } {
  const named: string[] = [];
  const extract = (match: string) => {
    named.push(match);
    return MARK;
  };
  return { named, rest: text.replace(contactFormat, extract).replace(labeledNumber, extract) };
}

const MARK = "⟨contact⟩";

/** Applies a mask to everything but the contacts. */
export function maskExceptContacts(text: string, mask: (text: string) => string): string {
  const { named, rest } = contactsIn(text);
  return named.length === 0 ? mask(text) : mask(rest) + named.join(" ");
}
