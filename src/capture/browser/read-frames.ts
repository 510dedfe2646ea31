import type { TextBlock } from "#contract/capture.ts";
import type { Protocol } from "./protocol.ts";
import { inPage, type Tab } from "./tab.ts";

type FrameTree = Protocol.Page.FrameTree;
type Wait = { secret: string; waitMs: number; imagesMs: number; scrollSteps: number };

// Pages with more than these show advertisements; who reads on pays for it with the capture's time.
const maxFrames = 20;
const limits = { maxBlocks: 2_000, maxText: 200_000, maxLinks: 0, maxList: 0, maxMeasured: 0 };
const settleMs = 2_000;

const hasten = inPage("hasten");
const settle = inPage("settle");
const collect = inPage("collect");
const keep = 'function (blocks) { (globalThis[Symbol.for("foreign")] ??= new Map()).set(this, blocks); }';

/**
 * Holds the page's frames still, and leaves the text of those of other origins in `world`, where the page's own reader
 * looks for it. Frames that Chromium keeps in another process (full browsers do, headless shells do not) have none.
 */
export async function readFrames(tab: Tab, world: number, wait: Wait): Promise<void> {
  const { frameTree } = await tab.send("Page.getFrameTree");
  let left = maxFrames;

  async function readIn(parent: FrameTree, parentWorld: number): Promise<void> {
    const children = (parent.childFrames ?? []).slice(0, left);
    left -= children.length;
    // A frame that went away while it was read has no text.
    await Promise.all(children.map((child) => readOne(parent, parentWorld, child).catch(() => {})));
  }

  async function readOne(parent: FrameTree, parentWorld: number, child: FrameTree): Promise<void> {
    const { id, securityOrigin } = child.frame;
    const own = await tab.ownWorld(id);
    const { textLength } = await tab.run<{ textLength: number }>(own, hasten, { secret: wait.secret });
    const briefly = { ...wait, textLength, waitMs: Math.min(settleMs, wait.waitMs), scrollSteps: 0 };
    await tab.run(own, settle, briefly, settleMs);
    await readIn(child, own);
    // The page's reader walks into frames of its own origin by itself; "://" is nobody's own.
    if (securityOrigin === parent.frame.securityOrigin && securityOrigin !== "://") return;
    const { blocks } = await tab.run<{ blocks: TextBlock[] }>(own, collect, limits);
    const { backendNodeId } = await tab.send("DOM.getFrameOwner", { frameId: id });
    const place = { backendNodeId, executionContextId: parentWorld };
    const { object } = await tab.send("DOM.resolveNode", place);
    await tab.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: keep,
      arguments: [{ value: blocks }],
    });
  }

  await readIn(frameTree, world);
}
