import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import type { Block } from "../html-parsing/page.ts";
import { maskBoilerplate, maskCopyright, maskText } from "../noise-rules/mask-rules.ts";

// 10.9.0, but not 1.234.567: a version has parts of any length.
const version = /(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))\d+(?:\.\d+){2,}(?![\d.])/;

/** The key by which blocks of text are compared: two blocks with the same key read the same. */
export function textKey({
  text,
  area,
  zone,
  hidden,
  role,
}: Pick<Block, "text" | "area" | "zone" | "hidden" | "role">): string {
  const masked = area === "main" ? maskText(text) : maskCopyright(maskText(text));
  // A heading that names a version says which one the page is about, even in a header.
  const isTitle = role === "heading" && version.test(text);
  const key = (zone !== "" || isBoilerplate(area)) && !isTitle ? maskBoilerplate(masked) : masked;
  return hidden === "" ? key : `⟨hidden⟩ ${key}`;
}
