import type { Vocabulary } from "../vocabulary.ts";

/** Norwegian. */
export const nb: Vocabulary = {
  counted: ["kommentar(?:er)?", "visninger", "lesere", "følgere"],
  personal: ["logg inn", "handlekurv"],
  versions: ["versjon"],
};
