import type { Vocabulary } from "../vocabulary.ts";

/** Romanian. */
export const ro: Vocabulary = {
  timeUnits: ["secunde", "minute", "ore", "oră", "zile", "săptămâni", "luni"],
  agoBefore: ["acum"],
  counted: ["comentarii", "vizualizări"],
  languageNames: ["română"],
  countries: ["românia"],
};
