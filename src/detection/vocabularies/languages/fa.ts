import type { Vocabulary } from "../vocabulary.ts";

/** Persian. */
export const fa: Vocabulary = {
  agoPhrases: ["(?<!\\d)\\d+\\s(?:ثانیه|دقیقه|ساعت|روز|هفته|ماه|سال)\\s(?:پیش|قبل)"],
};
