import type { Vocabulary } from "../vocabulary.ts";

/** Bengali. */
export const bn: Vocabulary = {
  agoPhrases: ["(?<!\\d)\\d+\\s(?:সেকেন্ড|মিনিট|ঘণ্টা|ঘন্টা|দিন|সপ্তাহ|মাস|বছর)\\s(?:আগে|পূর্বে)"],
};
