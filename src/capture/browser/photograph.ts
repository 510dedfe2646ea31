import type { Snapshot } from "#contract/capture.ts";
import { type Tab, viewport } from "./tab.ts";

export const maxHeight = 16_000;
const maxPixels = 40_000_000;

/** The whole page as PNG, cut at B6's limits; of an image no more than it is wide. */
export async function photograph(
  tab: Tab,
  pageHeight: number,
  pageWidth: number = viewport.width,
): Promise<Snapshot["picture"]> {
  const width = Math.max(Math.min(pageWidth, viewport.width), 1);
  const whole = Math.max(pageHeight, 1);
  const height = Math.min(whole, maxHeight, Math.floor(maxPixels / width));
  const { data } = await tab.send("Page.captureScreenshot", {
    format: "png",
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  return { png: data, width, height, ...(height < whole ? { isCut: true } : {}) };
}
