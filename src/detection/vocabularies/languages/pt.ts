import type { Vocabulary } from "../vocabulary.ts";

/** Portuguese. */
export const pt: Vocabulary = {
  smallAmounts: ["uma?"],
  agoAfter: ["atrás"],
  counted: ["comentários?", "visualizações", "leitores", "curtidas", "avaliações"],
  personal: ["entrar", "iniciar sessão", "criar conta", "minha conta", "carrinho"],
  consentButtons: ["aceitar(?: todos)?"],
  aiInstructions: [
    "\\b(?:ignore|ignora|esqueça|desconsidere) (?:(?:todas|as|suas) ){0,3}(?:instruções|ordens|regras) (?:anteriores|prévias|acima)",
    "\\bse (?:você é|és) (?:uma? )?(?:ia|llm|inteligência artificial|modelo de linguagem|chatbot)(?!\\p{L})",
  ],
  versions: ["versão"],
};
