import type { Block } from "../html-parsing/page.ts";
import { isBoilerplate } from "./is-boilerplate.ts";

/** Whether a block is boilerplate: outside the main content. */
export function isBoilerplateBlock(block: Block): boolean {
  return block.zone !== "" || isBoilerplate(block.area);
}
