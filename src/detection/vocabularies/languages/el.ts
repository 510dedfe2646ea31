import type { Vocabulary } from "../vocabulary.ts";

/** Greek. */
export const el: Vocabulary = {
  agoBefore: ["πριν"],
  counted: ["σχόλια", "προβολές"],
  versions: ["έκδοση"],
};
