import type { Vocabulary } from "../vocabulary.ts";

/** Slovenian. */
export const sl: Vocabulary = {
  consentTopics: ["piškot"],
  consentButtons: ["sprejmi.*"],
  versions: ["različica"],
};
