import type { Vocabulary } from "../vocabulary.ts";

/** Finnish. */
export const fi: Vocabulary = {
  counted: ["tykkäystä", "kommenttia", "katselukertaa"],
  personal: ["kirjaudu", "ostoskori"],
  consentTopics: ["evästee"],
  consentButtons: ["hyväksy.*"],
  versions: ["versio"],
};
