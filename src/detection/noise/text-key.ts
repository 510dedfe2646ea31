import type { Hidden, Zone } from "../html/zones.ts";
import { maskAround } from "./contacts.ts";
import { maskFrame, maskText } from "./mask-text.ts";
import { maskTokens } from "./tokens.ts";

const menus = new Set(["nav", "header", "footer"]);

/** Whether a landmark holds menus rather than content. */
export function isMenu(area: string): boolean {
  return menus.has(area);
}

/** Whether a part belongs to the frame around the content. */
export function isFrame(area: string): boolean {
  return menus.has(area) || area === "aside";
}

/** What two readers of the page would have to agree on for a block to be the same. */
export function textKey(text: string, area: string, zone: Zone, hidden: Hidden): string {
  const masked = maskText(text);
  if (zone !== "" || isFrame(area)) return maskFrame(masked);
  return hidden === "" ? masked : maskAround(masked, maskTokens);
}
