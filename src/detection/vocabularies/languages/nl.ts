import type { Vocabulary } from "../vocabulary.ts";

/** Dutch. */
export const nl: Vocabulary = {
  stamps: ["bijgewerkt"],
  counted: ["reacties", "weergaven", "beoordelingen", "lezers", "volgers"],
  personal: ["inloggen", "uitloggen", "winkelwagen", "mijn .{0,20}"],
  consentButtons: ["alles? (?:accepteren|weigeren)"],
  aiInstructions: [
    "\\b(?:negeer|vergeet) (?:(?:alle|de|je|uw) ){0,3}(?:vorige|voorgaande|eerdere|bovenstaande) (?:instructies|aanwijzingen|regels|opdrachten|prompts?)",
    "\\bals (?:je|jij|u) (?:een )?(?:ai|llm|kunstmatige intelligentie|taalmodel|chatbot) (?:bent|leest)",
  ],
  versions: ["versie"],
};
