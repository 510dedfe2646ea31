import type { Vocabulary } from "../vocabulary.ts";

/** Danish. */
export const da: Vocabulary = {
  timeUnits: ["sekunder?", "minut(?:ter?|er)", "timer?", "dag(?:er|e)?", "uger?", "måned(?:er)?", "år"],
  agoAfter: ["siden"],
  counted: ["kommentar(?:er)?", "visninger", "læsere", "følgere"],
  personal: ["log ind"],
  languageNames: ["dansk"],
  countries: ["danmark"],
};
