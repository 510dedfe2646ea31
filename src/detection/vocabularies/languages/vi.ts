import type { Vocabulary } from "../vocabulary.ts";

/** Vietnamese. */
export const vi: Vocabulary = {
  counted: ["bình luận", "lượt xem"],
  versions: ["phiên bản"],
};
