import type { Vocabulary } from "../vocabulary.ts";

/** Indonesian. */
export const id: Vocabulary = {
  counted: ["komentar", "tayangan"],
  spam: ["judi", "togel", "gacor", "situs"],
  versions: ["versi"],
};
