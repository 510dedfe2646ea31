import type { Hidden, Zone } from "../html/zones.ts";
import { maskAround } from "./contacts.ts";
import { maskFrame, maskText } from "./mask-text.ts";
import { maskTokens } from "./tokens.ts";

const frame = new Set(["nav", "header", "footer", "aside"]);

/** Whether a landmark belongs to the frame around the content. */
export function isFrame(area: string): boolean {
  return frame.has(area);
}

/** What two readers of the page would have to agree on for a block to be the same. */
export function textKey(text: string, area: string, zone: Zone, hidden: Hidden): string {
  const masked = maskText(text);
  const key = zone !== "" || isFrame(area) ? maskFrame(masked) : masked;
  return hidden === "" ? key : `⟨hidden⟩ ${maskAround(key, maskTokens)}`;
}
