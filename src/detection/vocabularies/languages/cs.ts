import type { Vocabulary } from "../vocabulary.ts";

/** Czech and Slovak. */
export const cs: Vocabulary = {
  agoAfter: ["zpět"],
  counted: ["komentář[eů]?", "zobrazení", "komentárov"],
  personal: ["přihlásit(?: se)?", "košík"],
  consentButtons: ["přijmout.*"],
  aiInstructions: [
    "(?<!\\p{L})(?:ignoruj|ignorujte|zapomeň|zapomeňte)(?: na)? (?:(?:všechny|své) ){0,2}(?:předchozí|předešlé|výše uvedené) (?:pokyny|instrukce|příkazy)",
    "(?<!\\p{L})pokud (?:jsi|jste) (?:umělá inteligence|jazykový model|chatbot|ai|llm)(?!\\p{L})",
  ],
  versions: ["verze"],
};
