import type { Vocabulary } from "../vocabulary.ts";

/** Hindi. */
export const hi: Vocabulary = {
  agoPhrases: ["(?<!\\d)\\d+\\s(?:सेकंड|सेकेंड|मिनट|घंटे|घंटा|दिन|हफ़्ते|हफ्ते|सप्ताह|महीने|महीना|साल)\\s(?:पहले|पूर्व)"],
};
