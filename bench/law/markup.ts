import { findUnlistedMarkup } from "#detection/testing/unlisted-markup.ts";
import type { LawPart } from "./part.ts";

/** Tags, attributes, code, comments, text that readers don't see, headers. */
export const markupPart: LawPart = { name: "markup", unlisted: findUnlistedMarkup };
