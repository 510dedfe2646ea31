import type { TextBlock } from "#contract/capture.ts";
import type { Protocol } from "../devtools-protocol/protocol.ts";
import { readPageScript, type Tab } from "../tab.ts";

type FrameTree = Protocol.Page.FrameTree;
type Wait = { secret: string; waitMs: number; imagesMs: number; scrollSteps: number; scrolls: boolean };

// Pages with more frames than this show advertisements; reading those would cost the capture's time.
const maxFrames = 20;
const limits = { maxBlocks: 2_000, maxText: 200_000, maxLinks: 0, maxList: 0, maxMeasured: 0 };
const settleMs = 2_000;

const hasten = readPageScript("hasten");
const settle = readPageScript("settle");
const collect = readPageScript("collect");
const saveText = 'function (blocks) { (globalThis[Symbol.for("foreign")] ??= new Map()).set(this, blocks); }';

/**
 * Settles the page's frames, and stores the text of frames of other origins in `world`, where collect.js looks for it.
 * Frames that Chromium runs in another process (full browsers do, headless shells do not) have no text.
 */
export async function readFrames(tab: Tab, world: number, wait: Wait): Promise<void> {
  const { frameTree } = await tab.send("Page.getFrameTree");
  let remaining = maxFrames;

  async function readIn(parent: FrameTree, parentWorld: number): Promise<void> {
    const children = (parent.childFrames ?? []).slice(0, remaining);
    remaining -= children.length;
    // A frame that was removed while it was read has no text.
    await Promise.all(children.map((child) => readOne(parent, parentWorld, child).catch(() => {})));
  }

  async function readOne(parent: FrameTree, parentWorld: number, child: FrameTree): Promise<void> {
    const { id, securityOrigin } = child.frame;
    const frameWorld = await tab.openIsolatedWorld(id);
    const { textLength } = await tab.run<{ textLength: number }>(frameWorld, hasten, { secret: wait.secret });
    const shortWait = {
      ...wait,
      textLength,
      waitMs: Math.min(settleMs, wait.waitMs),
      scrollSteps: 0,
      scrolls: false,
    };
    await tab.run(frameWorld, settle, shortWait, settleMs);
    await readIn(child, frameWorld);
    // collect.js reads frames of the same origin by itself; "://" is an opaque origin, never the same as another.
    if (securityOrigin === parent.frame.securityOrigin && securityOrigin !== "://") return;
    const { blocks } = await tab.run<{ blocks: TextBlock[] }>(frameWorld, collect, limits);
    const { backendNodeId } = await tab.send("DOM.getFrameOwner", { frameId: id });
    const nodeInWorld = { backendNodeId, executionContextId: parentWorld };
    const { object } = await tab.send("DOM.resolveNode", nodeInWorld);
    await tab.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: saveText,
      arguments: [{ value: blocks }],
    });
  }

  await readIn(frameTree, world);
}
