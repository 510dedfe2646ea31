import type { Vocabulary } from "../vocabulary.ts";

/** Vietnamese. */
export const vi: Vocabulary = {
  timeUnits: ["giây", "phút", "giờ", "ngày"],
  agoAfter: ["trước"],
  counted: ["bình luận", "lượt xem"],
  languageNames: ["tiếng việt"],
};
