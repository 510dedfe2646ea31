import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import type { Block } from "../html-parsing/page.ts";
import { maskBoilerplate, maskCopyright, maskText } from "../noise-rules/mask-rules.ts";

/** The key by which blocks of text are compared: two blocks with the same key read the same. */
export function textKey(block: Pick<Block, "text" | "area" | "zone" | "hidden">): string {
  const text = maskText(block.text);
  const masked = block.area === "main" ? text : maskCopyright(text);
  const key = isOutsideContent(block) ? maskBoilerplate(masked) : masked;
  return block.hidden === "" ? key : `⟨hidden⟩ ${key}`;
}
