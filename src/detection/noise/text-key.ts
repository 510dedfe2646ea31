import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import type { Block } from "../html-parsing/page.ts";
import { maskBoilerplate, maskCopyright, maskText } from "../noise-rules/mask-rules.ts";

/** The key by which blocks of text are compared: two blocks with the same key read the same. */
export function textKey({
  text,
  area,
  zone,
  hidden,
}: Pick<Block, "text" | "area" | "zone" | "hidden">): string {
  const masked = area === "main" ? maskText(text) : maskCopyright(maskText(text));
  const key = zone !== "" || isBoilerplate(area) ? maskBoilerplate(masked) : masked;
  return hidden === "" ? key : `⟨hidden⟩ ${key}`;
}
