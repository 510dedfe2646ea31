import type { Vocabulary } from "../vocabulary.ts";

/** Greek. */
export const el: Vocabulary = {
  timeUnits: ["δευτερόλεπτα", "λεπτ[άό]", "ώρ(?:α|ες)", "ημέρ(?:α|ες)"],
  agoBefore: ["πριν(?: από)?"],
  counted: ["σχόλια", "προβολές"],
  languageNames: ["ελληνικά"],
  countries: ["ελλάδα"],
};
