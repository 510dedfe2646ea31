import type { Vocabulary } from "../vocabulary.ts";

/** Polish. */
export const pl: Vocabulary = {
  timeUnits: [
    "sekund[ay]?",
    "minut[aęy]?",
    "godz(?:in[aęy]?)?",
    "dni",
    "dzień",
    "tydzień",
    "tygodni(?:e)?",
    "miesi(?:ąc|ące|ęcy)",
    "rok",
    "lata?",
  ],
  years: ["rok", "lata?"],
  agoAfter: ["temu"],
  months: [
    "stycznia",
    "lutego",
    "marca",
    "kwietnia",
    "maja",
    "czerwca",
    "lipca",
    "sierpnia",
    "września",
    "października",
    "listopada",
    "grudnia",
  ],
  nearDays: ["dziś", "dzisiaj", "wczoraj"],
  counted: ["komentarz[ye]?", "wyświetle(?:nia|nie|ń)", "polubie(?:nia|nie|ń)", "opinii"],
  personal: ["zaloguj(?: się)?", "koszyk", "moje konto"],
  languageNames: ["polski", "polish"],
  countries: ["polska"],
  consentButtons: ["akceptuj.*"],
  aiInstructions: [
    "(?<!\\p{L})(?:zignoruj|ignoruj|zapomnij)(?: o)? (?:(?:wszystkie|wszystkich|swoje|twoje) ){0,2}(?:poprzednie|poprzednich|wcześniejsze|powyższe) (?:instrukcje|instrukcjach|polecenia|zasady)",
    "(?<!\\p{L})jeśli jesteś (?:sztuczną inteligencją|modelem językowym|chatbotem|ai|llm)(?!\\p{L})",
  ],
};
