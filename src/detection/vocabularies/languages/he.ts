import type { Vocabulary } from "../vocabulary.ts";

/** Hebrew. */
export const he: Vocabulary = {
  timeUnits: ["דקות", "שעות", "ימים"],
  agoBefore: ["לפני"],
  languageNames: ["עברית"],
};
