import type { Vocabulary } from "../vocabulary.ts";

/** Italian. */
export const it: Vocabulary = {
  smallAmounts: ["pochi"],
  stamps: ["aggiornato(?: il)?", "pubblicato(?: il)?"],
  counted: ["commenti", "visualizzazioni", "recensioni", "lettori", "risposte", "mi piace"],
  people: ["persone"],
  personal: [
    "buon(?:giorno|asera).{0,30}",
    "ciao.{0,30}",
    "accedi",
    "registrati",
    "carrello",
    "il mio .{0,20}",
  ],
  consentButtons: ["accetta(?: tutti| tutto)?", "rifiuta(?: tutti| tutto)?"],
  aiInstructions: [
    "\\b(?:ignora|ignorate|ignorare|dimentica) (?:(?:tutte|le|tue|vostre) ){0,3}(?:istruzioni|regole|indicazioni) (?:precedenti|sopra)",
    "\\bse sei (?:una? |un[’'])?(?:ia|llm|intelligenza artificiale|modello linguistico|chatbot)(?!\\p{L})",
    "\\b(?:nota|messaggio|istruzioni|importante):? (?:a|per|agli|ai|alle) (?:(?:tutte|tutti|le|gli|i) ){0,2}(?:ia|llm|modelli linguistici|assistenti ia)(?!\\p{L})",
  ],
  versions: ["versione"],
};
