import type { Snapshot } from "#contract/capture.ts";
import { photograph } from "./photograph.ts";
import { inPage, type Tab } from "./tab.ts";

const imageSize = inPage("image-size");

/** Shows a page of our own in a tab without a way out and photographs it; null for an image nobody can read. */
export async function pictureFile(tab: Tab, html: string, isImage: boolean): Promise<Snapshot["picture"]> {
  await tab.send("Page.setDocumentContent", { frameId: tab.frameId, html });
  const world = await tab.ownWorld();
  const size = await tab.run<{ width: number; height: number } | null>(world, imageSize, { isImage });
  if (size === null) return null;
  return photograph(tab, size.height, isImage ? size.width : undefined);
}
