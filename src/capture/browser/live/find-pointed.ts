import { CdpError } from "../devtools-protocol/cdp-error.ts";
import { trimName } from "../page-steps/find-element.ts";
import { readPageScript, type Tab } from "../tab.ts";

/** An element that a user points at or types in, held in an isolated world of its frame. */
export type PointedElement = {
  world: number;
  objectId: string;
  /** The way to its frame, by the index of each frame in its parent. */
  frame: number[];
  /** The best one first. */
  selectors: string[][];
  words: string;
  kind: "typed" | "select" | "file" | "other";
  isPassword: boolean;
  isCode: boolean;
  isMultiline: boolean;
  options: { value: string; label: string; isChosen: boolean }[];
};
/** A frame of another site, which Chromium runs in a process of its own: it can be used, but not looked into. */
export type Pointed = PointedElement | "foreign" | null;
type Described = Omit<PointedElement, "world" | "objectId" | "frame">;
type Tree = { frame: { id: string }; childFrames?: Tree[] };

const describeElement = readPageScript("describe-element");
const heldElement = 'globalThis[Symbol.for("step-element")]';

/** The element at a point of the window. `isExact`: not the button or link around it. Null if it can't be told. */
export async function findPointed(
  tab: Tab,
  { x, y }: { x: number; y: number },
  isExact = false,
): Promise<Pointed> {
  return orNull(async () => {
    const at = { x: Math.round(x), y: Math.round(y), ignorePointerEventsNone: true };
    const { backendNodeId, frameId } = await tab.send("DOM.getNodeForLocation", at);
    const frame = await findFrame(tab, frameId);
    if (!frame) return null;
    const world = await tab.openIsolatedWorld(frame.id);
    const { object } = await tab.send("DOM.resolveNode", { backendNodeId, executionContextId: world });
    if (object.objectId === undefined) return null;
    const found = await describe(tab, { world, frame: frame.path }, isExact, { objectId: object.objectId });
    return isFrame(found) ? "foreign" : found;
  });
}

/** The element that has the focus, in whichever frame; null if none has. */
export async function findFocused(tab: Tab): Promise<Pointed> {
  return orNull(async () => {
    let found = await describe(tab, { world: await tab.openIsolatedWorld(), frame: [] }, true);
    while (isFrame(found)) {
      const frame = await findFrame(tab, found.frameId);
      if (!frame) return "foreign";
      found = await describe(tab, { world: await tab.openIsolatedWorld(frame.id), frame: frame.path }, true);
    }
    return found;
  });
}

/** A frame that runs in the page's own process. */
async function findFrame(tab: Tab, frameId: string | undefined) {
  const list = ({ frame, childFrames = [] }: Tree, path: number[]): { id: string; path: number[] }[] => [
    { id: frame.id, path },
    ...childFrames.flatMap((child, at) => list(child, [...path, at])),
  ];
  const { frameTree } = await tab.send("Page.getFrameTree");
  return list(frameTree, []).find(({ id }) => id === frameId) ?? null;
}

type FrameElement = { frameId: string | undefined };
const isFrame = (found: PointedElement | FrameElement | null): found is FrameElement =>
  found !== null && "frameId" in found;

/** The element that a script holds as the step's. */
export async function describeHeld(
  tab: Tab,
  at: Pick<PointedElement, "world" | "frame">,
): Promise<PointedElement | null> {
  const held = await tab.send("Runtime.evaluate", { contextId: at.world, expression: heldElement });
  const { objectId } = held.result;
  const found = objectId === undefined ? null : await describe(tab, at, true, { objectId });
  return isFrame(found) ? null : found;
}

async function describe(
  tab: Tab,
  { world, frame }: Pick<PointedElement, "world" | "frame">,
  isExact: boolean,
  target?: { objectId: string },
): Promise<PointedElement | FrameElement | null> {
  const { result } = await tab.send("Runtime.callFunctionOn", {
    functionDeclaration: describeElement,
    executionContextId: world,
    arguments: [{ value: { isExact } }, ...(target ? [target] : [])],
    returnByValue: true,
  });
  const described = result.value as Described | "frame" | null | undefined;
  if (!described) return null;
  const held = await tab.send("Runtime.evaluate", { contextId: world, expression: heldElement });
  const { objectId } = held.result;
  if (objectId === undefined) return null;
  if (described === "frame") {
    const { node } = await tab.send("DOM.describeNode", { objectId });
    return { frameId: node.frameId };
  }
  const name = await nameOf(tab, objectId);
  const text = described.words ? [[`text/${described.words}`]] : [];
  return { ...described, world, frame, objectId, selectors: [...name, ...described.selectors, ...text] };
}

const mostName = 80;

/** How assistive technology names the element, as a selector. */
async function nameOf(tab: Tab, objectId: string): Promise<string[][]> {
  const { nodes } = await tab.send("Accessibility.getPartialAXTree", { objectId, fetchRelatives: false });
  const name = trimName(nodes[0]?.name?.value);
  const role: unknown = nodes[0]?.role?.value;
  if (typeof role !== "string") return [];
  const isUsable = name !== "" && name.length <= mostName && /^[a-z]+$/i.test(role) && role !== "generic";
  return isUsable ? [[`aria/${name}[role="${role}"]`]] : [];
}

/** The page may move on while it is asked. */
export async function orNull<T>(work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CdpError && error.kind !== "gone") return null;
    throw error;
  }
}
