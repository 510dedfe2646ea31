// A live view as a test operates it.
import { expect, type Locator, type Page } from "@playwright/test";

const patient = { timeout: 60_000 };

/** A click at a point of the page in the live view, which is 1280 pixels wide. */
export async function clickIn(live: Locator, x: number, y: number): Promise<void> {
  const canvas = live.getByRole("application");
  const scale = ((await canvas.boundingBox())?.width ?? 0) / 1280;
  await canvas.click({ position: { x: x * scale, y: y * scale } });
}

/**
 * Waits until the live view shows text of the page, or a link in its upper left corner. Its first frames are blank: of
 * the browser's empty page, and of the new one before it is read. A key or a click during them would hit nothing.
 */
export async function waitUntilDrawn(page: Page, what: "text" | "link"): Promise<void> {
  // Text is black, links are blue, and a pixel that was never drawn is transparent.
  const [box, isDrawn] = {
    text: ["0, 0, 1280, 800", "blue < 80 && alpha > 0"],
    link: ["0, 0, 80, 30", "blue - red > 60"],
  }[what];
  const hasDrawn = `(() => {
    const canvas = document.querySelector("canvas[role=application]");
    const { data } = canvas.getContext("2d").getImageData(${box});
    for (let i = 0; i < data.length; i += 4) {
      const [red, , blue, alpha] = data.subarray(i, i + 4);
      if (${isDrawn}) return true;
    }
    return false;
  })()`;
  await expect.poll(() => page.evaluate<boolean>(hasDrawn), patient).toBe(true);
}
