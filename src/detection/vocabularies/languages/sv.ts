import type { Vocabulary } from "../vocabulary.ts";

/** Swedish. */
export const sv: Vocabulary = {
  timeUnits: [
    "sekunder?",
    "minut(?:ter?|er)",
    "timm(?:ar|e)",
    "dag(?:ar)?",
    "veck(?:or|a)",
    "månad(?:er)?",
    "år",
  ],
  years: ["år"],
  agoAfter: ["sedan"],
  months: ["maj"],
  nearDays: ["i ?dag", "i ?går"],
  counted: ["kommentar(?:er)?", "visningar", "läsare", "följare"],
  personal: ["logga in", "varukorg"],
  languageNames: ["svenska"],
  countries: ["sverige"],
  consentButtons: ["godk[aä]nn.*", "acceptera.*"],
  aiInstructions: [
    "(?<!\\p{L})(?:ignorera|glöm|bortse från) (?:(?:alla|dina|de) ){0,2}(?:tidigare|föregående|ovanstående) (?:instruktioner|anvisningar|regler)",
    "(?<!\\p{L})om du är en (?:ai|llm|språkmodell|chattbot|artificiell intelligens)(?!\\p{L})",
  ],
};
