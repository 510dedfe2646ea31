import type { Vocabulary } from "../vocabulary.ts";

/** Turkish. */
export const tr: Vocabulary = {
  timeUnits: ["saniye", "dakika", "saat", "gün", "hafta", "ay", "yıl"],
  years: ["yıl"],
  agoAfter: ["önce"],
  nearDays: ["bugün", "dün"],
  counted: ["yorum", "görüntülenme", "takipçi", "beğeni"],
  languageNames: ["türkçe"],
  countries: ["türkiye"],
  aiInstructions: [
    "(?<!\\p{L})(?:önceki|yukarıdaki) (?:tüm |bütün )?(?:talimatları|komutları|kuralları) (?:yok say|unut|görmezden gel|dikkate alma)",
    "(?<!\\p{L})eğer (?:bir )?(?:yapay zeka|dil modeli|sohbet botu)",
  ],
};
