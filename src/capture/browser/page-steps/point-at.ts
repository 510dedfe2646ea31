import { CdpError } from "../devtools-protocol/cdp-error.ts";
import type { Protocol } from "../devtools-protocol/protocol.ts";
import { readPageScript } from "../tab.ts";
import type { FoundElement } from "./find-element.ts";
import { StepFailure, type StepPage } from "./step-page.ts";

const hitTest = readPageScript("hit-test");
const frameOffset =
  "() => { const box = globalThis[Symbol.for('step-element')].getBoundingClientRect(); return { x: box.left, y: box.top }; }";
const stillMs = 50;

type Point = { x: number; y: number };
type Offset = { offsetX?: number | undefined; offsetY?: number | undefined };

/** Scrolls to an element, waits until it stands still and nothing covers it, and points at it with the mouse. */
export async function pointAt(
  page: StepPage,
  element: FoundElement,
  { ms, ...offset }: Offset & { ms: number },
): Promise<Point> {
  const { tab } = page;
  const end = performance.now() + ms;
  let cover: string | null = null;
  for (;;) {
    await tab.send("DOM.scrollIntoViewIfNeeded", { objectId: element.objectId }).catch(orNothing);
    const before = await boxOf(page, element);
    await page.until(() => false, stillMs);
    const box = await boxOf(page, element);
    const isStill = before && box && before.x === box.x && before.y === box.y;
    if (box && isStill) {
      const point = pointIn(box, offset);
      cover = await coverAt(page, element, box, point);
      if (cover === null) {
        await tab.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
        return point;
      }
    }
    const reason = page.endReason();
    if (reason) throw new StepFailure(reason);
    if (performance.now() > end) throw new StepFailure(explain(cover));
  }
}

function explain(cover: string | null): string {
  return cover
    ? `The element is covered by another one (${cover}). Add a step before that closes what covers it.`
    : "The element doesn’t stand still, or it went away.";
}

type Box = Point & { width: number; height: number };

/** The element's box in the window, also if it is in a frame. */
async function boxOf({ tab }: StepPage, { objectId }: FoundElement): Promise<Box | null> {
  const answer = await tab.send("DOM.getContentQuads", { objectId }).catch(orNothing);
  const quad = answer?.quads[0] as Protocol.DOM.Quad | undefined;
  if (!quad) return null;
  const [xs, ys] = [0, 1].map((odd) => quad.filter((_, i) => i % 2 === odd)) as [number[], number[]];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Where the recording clicked if that is still inside of the element, else its middle. */
function pointIn({ x, y, width, height }: Box, { offsetX, offsetY }: Offset): Point {
  const isInside =
    offsetX !== undefined &&
    offsetY !== undefined &&
    offsetX > 0 &&
    offsetY > 0 &&
    offsetX < width &&
    offsetY < height;
  return isInside ? { x: x + offsetX, y: y + offsetY } : { x: x + width / 2, y: y + height / 2 };
}

/** What covers the element at a point of the window; null if nothing does. */
async function coverAt({ tab }: StepPage, { world }: FoundElement, box: Box, point: Point) {
  try {
    const inFrame = await tab.run<Point>(world, frameOffset, {});
    const at = { x: point.x - box.x + inFrame.x, y: point.y - box.y + inFrame.y };
    return await tab.run<string | null>(world, hitTest, at);
  } catch (error) {
    orNothing(error);
    return "";
  }
}

/** The element or its page may go away at any moment. */
function orNothing(error: unknown): undefined {
  if (error instanceof CdpError && error.kind !== "gone") return undefined;
  throw error;
}
