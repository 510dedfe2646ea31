import { CdpError } from "../devtools-protocol/cdp-error.ts";
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
type Described = Omit<PointedElement, "world" | "objectId" | "frame">;
type Tree = { frame: { id: string }; childFrames?: Tree[] };

const describeElement = readPageScript("describe-element");
const heldElement = 'globalThis[Symbol.for("step-element")]';

/** The element at a point of the window. `isExact`: not the button or link around it. Null if it can't be told. */
export async function findPointed(
  tab: Tab,
  { x, y }: { x: number; y: number },
  isExact = false,
): Promise<PointedElement | null> {
  return orNull(async () => {
    const at = { x: Math.round(x), y: Math.round(y), ignorePointerEventsNone: true };
    const { backendNodeId, frameId } = await tab.send("DOM.getNodeForLocation", at);
    const frame = await findFrame(tab, ({ id }) => id === frameId);
    if (!frame) return null;
    const world = await tab.openIsolatedWorld(frame.id);
    const { object } = await tab.send("DOM.resolveNode", { backendNodeId, executionContextId: world });
    if (object.objectId === undefined) return null;
    return describe(tab, { world, frame: frame.path }, isExact, { objectId: object.objectId });
  });
}

/** The element that has the focus; null if none has. `frame` is looked into if the focus is in a frame. */
export async function findFocused(tab: Tab, frame: number[]): Promise<PointedElement | null> {
  return orNull(async () => {
    const main = { world: await tab.openIsolatedWorld(), frame: [] };
    const found = await describe(tab, main, true);
    if (found || frame.length === 0) return found;
    const inner = await findFrame(tab, ({ path }) => path.join() === frame.join());
    return inner && describe(tab, { world: await tab.openIsolatedWorld(inner.id), frame }, true);
  });
}

async function findFrame(tab: Tab, isWanted: (frame: { id: string; path: number[] }) => boolean) {
  const list = ({ frame, childFrames = [] }: Tree, path: number[]): { id: string; path: number[] }[] => [
    { id: frame.id, path },
    ...childFrames.flatMap((child, at) => list(child, [...path, at])),
  ];
  const { frameTree } = await tab.send("Page.getFrameTree");
  return list(frameTree, []).find(isWanted) ?? null;
}

async function describe(
  tab: Tab,
  { world, frame }: Pick<PointedElement, "world" | "frame">,
  isExact: boolean,
  target?: { objectId: string },
): Promise<PointedElement | null> {
  const { result } = await tab.send("Runtime.callFunctionOn", {
    functionDeclaration: describeElement,
    executionContextId: world,
    arguments: [{ value: { isExact } }, ...(target ? [target] : [])],
    returnByValue: true,
  });
  const described = result.value as Described | "frame" | null | undefined;
  if (!described || described === "frame") return null;
  const held = await tab.send("Runtime.evaluate", { contextId: world, expression: heldElement });
  const { objectId } = held.result;
  if (objectId === undefined) return null;
  const name = await nameOf(tab, objectId);
  const text = described.words ? [[`text/${described.words}`]] : [];
  return { ...described, world, frame, objectId, selectors: [...name, ...described.selectors, ...text] };
}

const mostName = 80;

/** How assistive technology names the element, as a selector. */
async function nameOf(tab: Tab, objectId: string): Promise<string[][]> {
  const { nodes } = await tab.send("Accessibility.getPartialAXTree", { objectId, fetchRelatives: false });
  const [name, role] = [nodes[0]?.name?.value, nodes[0]?.role?.value] as [unknown, unknown];
  if (typeof name !== "string" || typeof role !== "string") return [];
  const isUsable =
    name.trim() !== "" && name.length <= mostName && /^[a-z]+$/i.test(role) && role !== "generic";
  return isUsable ? [[`aria/${name}[role="${role}"]`]] : [];
}

/** The page may move on while it is asked. */
async function orNull<T>(work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CdpError && error.kind !== "gone") return null;
    throw error;
  }
}
