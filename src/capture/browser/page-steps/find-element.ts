import { isTextSelector } from "#page-steps/describe-step.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import { readPageScript } from "../tab.ts";
import { StepFailure, type StepPage } from "./step-page.ts";

type ElementStep = { selectors: string[][]; frame?: number[] | undefined };

/** The element that a step uses, held in an isolated world of its frame. */
export type FoundElement = {
  world: number;
  objectId: string;
  /** The selector that found it. */
  selector: string;
  /** What is worth knowing about how it was found. */
  note: string | null;
};

type Search = { at: number; counts: number[]; hidden: boolean; invalid: number[] };

const findStepElement = readPageScript("find-step-element");
const heldElement = 'globalThis[Symbol.for("step-element")]';
const pollMs = 100;
const maxByName = 50;
const ariaSelector = /^aria\/(.*?)(?:\[role="([^"]*)"\])?$/s;

/** Waits for a step's element; all of its selectors are tried at once, and the best one that finds it wins. */
export async function findElement(
  page: StepPage,
  step: ElementStep,
  { ms, needsShown = true }: { ms: number; needsShown?: boolean },
): Promise<FoundElement> {
  const end = performance.now() + ms;
  let last: Search | null = null;
  for (;;) {
    const found = await whileMoving(() => searchOnce(page, step, needsShown));
    last = found?.search ?? last;
    if (found?.element) return found.element;
    const reason = page.endReason();
    if (reason) throw new StepFailure(reason);
    if (performance.now() > end) throw new StepFailure(explainMissing(step, last));
    await page.until(() => false, pollMs);
  }
}

/** Whether the element is there now. */
export async function isElementThere(page: StepPage, step: ElementStep): Promise<boolean> {
  return (await whileMoving(() => searchOnce(page, step, true)))?.element !== null;
}

/** Null while the page is moving on to another document. */
async function whileMoving<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CdpError && error.kind !== "gone") return null;
    throw error;
  }
}

async function searchOnce({ tab }: StepPage, { selectors, frame = [] }: ElementStep, needsShown: boolean) {
  const world = await tab.openIsolatedWorld(await frameIdOf(tab, frame));
  const byName: { at: number; count: number }[] = [];
  const named: { objectId: string }[] = [];
  for (const [at, chain] of selectors.entries()) {
    const [, name, role] = (chain.length === 1 && ariaSelector.exec(chain[0] ?? "")) || [];
    if (name === undefined) continue;
    const objects = await findByName(tab, world, { name, role });
    byName.push({ at, count: objects.length });
    named.push(...objects);
  }
  const { result, exceptionDetails } = await tab.send("Runtime.callFunctionOn", {
    functionDeclaration: findStepElement,
    executionContextId: world,
    arguments: [{ value: { selectors, byName, needsShown } }, ...named],
    returnByValue: true,
  });
  if (exceptionDetails) throw new CdpError("thrown", exceptionDetails.text);
  const search = result.value as Search;
  if (search.at < 0) return { search, element: null };
  const held = await tab.send("Runtime.evaluate", { contextId: world, expression: heldElement });
  const objectId = held.result.objectId;
  if (objectId === undefined) return { search, element: null };
  const selector = (selectors[search.at] ?? []).join(" >>> ");
  return { search, element: { world, objectId, selector, note: noteOn(selectors, search) } };
}

async function frameIdOf(tab: StepPage["tab"], path: number[]): Promise<string> {
  let { frameTree } = await tab.send("Page.getFrameTree");
  for (const index of path) {
    const child = frameTree.childFrames?.[index];
    if (!child) throw new CdpError("refused", "the frame isn't there yet");
    frameTree = child;
  }
  return frameTree.frame.id;
}

/** Chromium names a field in a label “Password” at one time, and with the space before the field at another. */
export const trimName = (name: unknown): string =>
  typeof name === "string" ? name.replaceAll(/\s+/g, " ").trim() : "";

/** Elements by their accessible name and role, as assistive technology sees them. */
async function findByName(
  tab: StepPage["tab"],
  world: number,
  { name, role }: { name: string; role: string | undefined },
) {
  const { result } = await tab.send("Runtime.evaluate", { contextId: world, expression: "document" });
  const { nodes } = await tab.send("Accessibility.queryAXTree", {
    ...(result.objectId !== undefined && { objectId: result.objectId }),
    // With a role, few enough elements are left to compare their names here, whatever the space around them.
    ...(role ? { role } : name && { accessibleName: name }),
  });
  const isNamed = (node: (typeof nodes)[number]) =>
    !role || !name || trimName(node.name?.value) === trimName(name);
  const ids = nodes.flatMap((node) =>
    node.ignored || node.backendDOMNodeId === undefined || node.role?.value === "StaticText" || !isNamed(node)
      ? []
      : [node.backendDOMNodeId],
  );
  const objects = await Promise.all(
    ids.slice(0, maxByName).map(async (backendNodeId) => {
      const { object } = await tab.send("DOM.resolveNode", { backendNodeId, executionContextId: world });
      return object.objectId === undefined ? [] : [{ objectId: object.objectId }];
    }),
  );
  return objects.flat();
}

const ordinal = (count: number) => count.toLocaleString("en");

function noteOn(selectors: string[][], { at, counts }: Search): string | null {
  const count = counts[at] ?? 0;
  if (count > 1) return `${quote(selectors[at])} matches ${ordinal(count)} elements; the first one was used.`;
  const lost = counts.filter((each) => each === 0).length;
  if (lost === 0 || lost < selectors.length - 1 || selectors.length < 2) return null;
  const how = isTextSelector(selectors[at]?.[0] ?? "") ? "its text" : quote(selectors[at]);
  return `Only ${how} still finds the element; the other ${lost === 1 ? "selector matches" : "selectors match"} nothing.`;
}

const quote = (chain: string[] | undefined) => `“${(chain ?? []).join(" >>> ").slice(0, 100)}”`;

const noFrame =
  "The page has no such frame, or the frame is of another site and the browser of this server runs it apart.";

function explainMissing({ selectors, frame = [] }: ElementStep, search: Search | null): string {
  if (!search && frame.length > 0) return noFrame;
  const invalid = search?.invalid[0];
  if (search && search.invalid.length === selectors.length && invalid !== undefined)
    return `${quote(selectors[invalid])} isn’t a selector.`;
  if (search?.hidden) return `The element ${quote(selectors[0])} is on the page, but it isn’t shown.`;
  return selectors.length === 1
    ? `The selector ${quote(selectors[0])} matches nothing on the page.`
    : `None of its ${selectors.length} selectors matches anything on the page, as ${quote(selectors[0])}.`;
}
