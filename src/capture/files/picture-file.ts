import type { Snapshot } from "#contract/capture.ts";
import { photograph } from "../browser/screenshot/photograph.ts";
import { readPageScript, type Tab } from "../browser/tab.ts";

const imageSize = readPageScript("image-size");

/** Shows our own page of a file in an offline tab and takes its picture; null for an image that can't be decoded. */
export async function pictureFile(tab: Tab, html: string, isImage: boolean): Promise<Snapshot["picture"]> {
  await tab.send("Page.setDocumentContent", { frameId: tab.frameId, html });
  const world = await tab.openIsolatedWorld();
  const size = await tab.run<{ width: number; height: number } | null>(world, imageSize, { isImage });
  if (size === null) return null;
  return photograph(tab, isImage ? size : { height: size.height });
}
