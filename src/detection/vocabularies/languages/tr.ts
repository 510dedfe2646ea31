import type { Vocabulary } from "../vocabulary.ts";

/** Turkish. */
export const tr: Vocabulary = {
  counted: ["yorum", "görüntülenme", "takipçi", "beğeni"],
  aiInstructions: [
    "(?<!\\p{L})(?:önceki|yukarıdaki) (?:tüm |bütün )?(?:talimatları|komutları|kuralları) (?:yok say|unut|görmezden gel|dikkate alma)",
    "(?<!\\p{L})eğer (?:bir )?(?:yapay zeka|dil modeli|sohbet botu)",
  ],
  versions: ["sürüm"],
};
