import type { Vocabulary } from "../vocabulary.ts";

/** Danish. */
export const da: Vocabulary = {
  counted: ["kommentar(?:er)?", "visninger", "læsere", "følgere"],
  personal: ["log ind"],
};
