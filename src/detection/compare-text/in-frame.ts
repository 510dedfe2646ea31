import { isFrame } from "../noise/text-key.ts";
import type { Block } from "../page.ts";

/** Whether a block belongs to the frame around the content. */
export function inFrame(block: Block): boolean {
  return block.zone !== "" || isFrame(block.area);
}
