import { findUnlistedText } from "#detection/testing/unlisted-text.ts";
import type { LawPart } from "./part.ts";

/** Lines of visible text. */
export const textPart: LawPart = {
  name: "text",
  unlisted: (before, after, verdict) =>
    before.kind === "html" && after.kind === "html" ? findUnlistedText(before.html, after.html, verdict) : [],
};
