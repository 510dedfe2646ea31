import type { Vocabulary } from "../vocabulary.ts";

/** Thai. */
export const th: Vocabulary = {
  agoPhrases: ["(?<!\\d)\\d+\\s?(?:วินาที|นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี)\\s?(?:ที่แล้ว|ที่ผ่านมา|ก่อน)"],
  languageNames: ["ไทย"],
};
