import type { Vocabulary } from "../vocabulary.ts";

/** Estonian. */
export const et: Vocabulary = {
  consentTopics: ["küpsis"],
  consentButtons: ["luba kõik"],
  versions: ["versioon"],
};
