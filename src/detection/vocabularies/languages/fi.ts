import type { Vocabulary } from "../vocabulary.ts";

/** Finnish. */
export const fi: Vocabulary = {
  timeUnits: ["sekunti?a?", "minuuttia?", "tuntia?", "päivää?", "viikkoa?", "kuukautta", "vuotta"],
  years: ["vuotta"],
  agoAfter: ["sitten"],
  nearDays: ["tänään", "eilen"],
  counted: ["tykkäystä", "kommenttia", "katselukertaa"],
  personal: ["kirjaudu", "ostoskori"],
  languageNames: ["suomi"],
  countries: ["suomi"],
  consentTopics: ["evästee"],
  consentButtons: ["hyväksy.*"],
};
