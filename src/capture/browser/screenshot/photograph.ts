import type { Snapshot } from "#contract/capture.ts";
import { type Device, devices } from "../emulation/devices.ts";
import type { Tab } from "../tab.ts";

export const maxHeight = 16_000;
const maxPixels = 40_000_000;

/**
 * Takes a PNG of the whole page, cut at B6's limits; a picture of an image is no wider than the image. One pixel of the
 * picture is one of the page's, whatever the device's screen.
 */
export async function photograph(
  tab: Tab,
  page: { height: number; width?: number },
  device: Device = devices.desktop,
): Promise<Snapshot["picture"]> {
  // A page without a viewport tag is laid out as on a desktop, and a phone shows it smaller.
  const widest = Math.max(device.width, device.isMobile ? devices.desktop.width : 0);
  const width = Math.max(Math.min(page.width ?? device.width, widest), 1);
  const whole = Math.max(page.height, 1);
  const height = Math.min(whole, maxHeight, Math.floor(maxPixels / width));
  const { data } = await tab.send("Page.captureScreenshot", {
    format: "png",
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 / device.scale },
  });
  return { png: data, width, height, ...(height < whole ? { isCut: true } : {}) };
}
