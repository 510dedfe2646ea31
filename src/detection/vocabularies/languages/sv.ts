import type { Vocabulary } from "../vocabulary.ts";

/** Swedish. */
export const sv: Vocabulary = {
  counted: ["kommentar(?:er)?", "visningar", "läsare", "följare"],
  personal: ["logga in", "varukorg"],
  consentButtons: ["godk[aä]nn.*", "acceptera.*"],
  aiInstructions: [
    "(?<!\\p{L})(?:ignorera|glöm|bortse från) (?:(?:alla|dina|de) ){0,2}(?:tidigare|föregående|ovanstående) (?:instruktioner|anvisningar|regler)",
    "(?<!\\p{L})om du är en (?:ai|llm|språkmodell|chattbot|artificiell intelligens)(?!\\p{L})",
  ],
};
