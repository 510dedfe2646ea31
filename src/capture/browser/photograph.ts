import type { Snapshot } from "#contract/capture.ts";
import { type Tab, viewport } from "./tab.ts";

const maxHeight = 16_000;
const maxPixels = 40_000_000;

export type Box = { x: number; y: number; width: number; height: number };

/** The whole page (or the box) as PNG, cut at B6's limits. A box without area has no picture. */
export async function photograph(
  tab: Tab,
  pageHeight: number,
  box: Box | null,
): Promise<Snapshot["picture"]> {
  const whole = { x: 0, y: 0, width: viewport.width, height: Math.max(pageHeight, 1) };
  const wanted = box ? within(box, whole) : whole;
  if (wanted === null) return null;
  const height = Math.min(wanted.height, maxHeight, Math.floor(maxPixels / wanted.width));
  const { data } = await tab.send("Page.captureScreenshot", {
    format: "png",
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { ...wanted, height, scale: 1 },
  });
  return { png: data, width: wanted.width, height, ...(height < wanted.height ? { isCut: true } : {}) };
}

function within(box: Box, page: Box): Box | null {
  const x = Math.max(0, Math.floor(box.x));
  const y = Math.max(0, Math.floor(box.y));
  const width = Math.min(page.width, Math.ceil(box.x + box.width)) - x;
  const height = Math.min(page.height, Math.ceil(box.y + box.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
