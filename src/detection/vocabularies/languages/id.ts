import type { Vocabulary } from "../vocabulary.ts";

/** Indonesian. */
export const id: Vocabulary = {
  timeUnits: ["detik", "menit", "jam", "hari", "minggu", "bulan"],
  agoAfter: ["yang lalu"],
  counted: ["komentar", "tayangan"],
  languageNames: ["bahasa indonesia"],
  spam: ["judi", "togel", "gacor", "situs"],
};
