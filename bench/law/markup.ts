import { unlistedMarkup } from "#detection/testing/unlisted-markup.ts";
import type { LawPart } from "./part.ts";

/** Tags, attributes, code, comments, text that nobody reads, headers. */
export const markupPart: LawPart = { name: "markup", unlisted: unlistedMarkup };
