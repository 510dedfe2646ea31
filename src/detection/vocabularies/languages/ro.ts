import type { Vocabulary } from "../vocabulary.ts";

/** Romanian. */
export const ro: Vocabulary = {
  counted: ["comentarii", "vizualizări"],
  versions: ["versiunea"],
};
