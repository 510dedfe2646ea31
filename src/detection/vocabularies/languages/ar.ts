import type { Vocabulary } from "../vocabulary.ts";

/** Arabic. */
export const ar: Vocabulary = {
  agoBefore: ["منذ"],
  aiInstructions: [
    "(?:تجاهل|انس|انسَ) (?:جميع |كل )?(?:التعليمات|الأوامر|القواعد) (?:السابقة|أعلاه)",
    "إذا كنت (?:نموذج لغ|ذكاء|روبوت محادثة)",
  ],
  versions: ["الإصدار"],
};
