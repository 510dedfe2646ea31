import type { Vocabulary } from "../vocabulary.ts";

/** Hungarian. */
export const hu: Vocabulary = {
  counted: ["hozzászólás", "megtekintés"],
  personal: ["bejelentkezés", "kosár"],
  consentButtons: ["elfogad.*"],
  versions: ["verzió"],
};
