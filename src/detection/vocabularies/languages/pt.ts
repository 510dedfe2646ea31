import type { Vocabulary } from "../vocabulary.ts";

/** Portuguese. */
export const pt: Vocabulary = {
  timeUnits: ["segundos?", "minutos?", "horas?", "dias?", "semanas?", "mês", "mes(?:es)?", "anos?"],
  years: ["anos?"],
  smallAmounts: ["uma?"],
  agoBefore: ["há"],
  agoAfter: ["atrás"],
  months: ["mai\\w*", "set\\w*", "dez\\w*"],
  nearDays: ["hoje", "ontem"],
  counted: ["comentários?", "visualizações", "leitores", "curtidas", "avaliações"],
  personal: ["entrar", "iniciar sessão", "criar conta", "minha conta", "carrinho"],
  languageNames: ["português", "portuguese"],
  countries: ["brasil"],
  consentButtons: ["aceitar(?: todos)?"],
  aiInstructions: [
    "\\b(?:ignore|ignora|esqueça|desconsidere) (?:(?:todas|as|suas) ){0,3}(?:instruções|ordens|regras) (?:anteriores|prévias|acima)",
    "\\bse (?:você é|és) (?:uma? )?(?:ia|llm|inteligência artificial|modelo de linguagem|chatbot)(?!\\p{L})",
  ],
};
