import type { Vocabulary } from "../vocabulary.ts";

/** Hungarian. */
export const hu: Vocabulary = {
  timeUnits: ["másodperc(?:e|cel)", "perc(?:e|cel)", "ór[aá](?:ja|val)", "nap(?:ja|pal)"],
  agoAfter: ["ezelőtt"],
  counted: ["hozzászólás", "megtekintés"],
  personal: ["bejelentkezés", "kosár"],
  languageNames: ["magyar"],
  countries: ["magyarország"],
  consentButtons: ["elfogad.*"],
};
