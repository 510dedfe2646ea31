import type { Vocabulary } from "../vocabulary.ts";

/** Arabic. */
export const ar: Vocabulary = {
  timeUnits: ["دقيقة", "دقائق", "ساعة", "ساعات", "يوم", "أيام"],
  agoBefore: ["منذ"],
  languageNames: ["العربية"],
  aiInstructions: [
    "(?:تجاهل|انس|انسَ) (?:جميع |كل )?(?:التعليمات|الأوامر|القواعد) (?:السابقة|أعلاه)",
    "إذا كنت (?:نموذج لغ|ذكاء|روبوت محادثة)",
  ],
};
