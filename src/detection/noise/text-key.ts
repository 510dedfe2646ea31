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
  return hidden === "" ? key : `⟨hidden⟩ ${isMachineWord(key) ? "⟨id⟩" : maskAround(key, maskTokens)}`;
}

/** A word that only a machine writes, where nobody sees it: true, Sapp18. */
function isMachineWord(text: string): boolean {
  return /^(?:true|false|null|undefined|nan)$/i.test(text) || /^[A-Za-z]?[a-z_-]{2,30}\d{1,6}$/.test(text);
}
