import type { Vocabulary } from "../vocabulary.ts";

/** Norwegian. */
export const nb: Vocabulary = {
  timeUnits: ["sekunder?", "minutt(?:er)?", "timer?", "dag(?:er)?", "uker?", "måned(?:er)?", "år"],
  counted: ["kommentar(?:er)?", "visninger", "lesere", "følgere"],
  personal: ["logg inn", "handlekurv"],
  languageNames: ["norsk"],
  countries: ["norge"],
};
