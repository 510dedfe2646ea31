import type { Vocabulary } from "../vocabulary.ts";

/** Polish. */
export const pl: Vocabulary = {
  counted: ["komentarz[ye]?", "wyświetle(?:nia|nie|ń)", "polubie(?:nia|nie|ń)", "opinii"],
  personal: ["zaloguj(?: się)?", "koszyk", "moje konto"],
  consentButtons: ["akceptuj.*"],
  aiInstructions: [
    "(?<!\\p{L})(?:zignoruj|ignoruj|zapomnij)(?: o)? (?:(?:wszystkie|wszystkich|swoje|twoje) ){0,2}(?:poprzednie|poprzednich|wcześniejsze|powyższe) (?:instrukcje|instrukcjach|polecenia|zasady)",
    "(?<!\\p{L})jeśli jesteś (?:sztuczną inteligencją|modelem językowym|chatbotem|ai|llm)(?!\\p{L})",
  ],
  versions: ["wersja"],
};
