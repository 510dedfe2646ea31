import { maxPageSteps, type PageStep, PageSteps, type StepSecret } from "#contract/page-steps.ts";
import { hidePasswords } from "./password-fields.ts";
import { readPlaywright } from "./read-playwright.ts";

/** A recording's steps. Each part that can't be taken is left out, with a sentence that says so. */
export type Recording = { title: string; steps: PageStep[]; secrets: StepSecret[]; refused: string[] };

const maxRefused = 50;

/** Reads a recording of the DevTools Recorder or of Playwright's codegen; passwords become secrets. */
export function readRecording(text: string): Recording {
  const found = /^\s*[[{]/.test(text) ? readJson(text) : readPlaywright(text);
  const refused = [...found.refused];
  if (found.steps.length > maxPageSteps)
    refused.push(`Only the first ${maxPageSteps} of the ${found.steps.length} steps are taken.`);
  if (found.steps.length === 0 && refused.length === 0) refused.push("The recording has no steps.");
  const shown = refused.slice(0, maxRefused);
  if (shown.length < refused.length) shown.push(`Left out besides these: ${refused.length - shown.length}.`);
  return { title: found.title, ...hidePasswords(found.steps.slice(0, maxPageSteps)), refused: shown };
}

type Found = Pick<Recording, "title" | "steps" | "refused">;
type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const nothing = (reason: string): Found => ({ title: "", steps: [], refused: [reason] });

function readJson(text: string): Found {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return nothing("This isn’t JSON: export the recording again, as JSON.");
  }
  const list = Array.isArray(json) ? json : isObject(json) ? json.steps : undefined;
  if (isObject(json) && Array.isArray(json.tests))
    return nothing("This is a recording of Selenium IDE. Record it with the DevTools Recorder instead.");
  if (!Array.isArray(list))
    return nothing("This isn’t a recording of the DevTools Recorder: it has no list of steps.");
  const title = isObject(json) && typeof json.title === "string" ? json.title.slice(0, 200) : "";
  const steps: PageStep[] = [];
  const refused: string[] = [];
  const held = { ordinary: new Set<string>() };
  for (const [at, raw] of list.entries()) {
    const read = readStep(raw, held.ordinary);
    if (typeof read === "string") refused.push(`Step ${at + 1} is left out: ${read}`);
    else if (read) steps.push(read);
  }
  return { title, steps, refused };
}

const modifiers = new Set(["Control", "Shift", "Alt", "Meta"]);

/** The step; a reason if it is refused; null if it is contained in another one. */
function readStep(raw: unknown, pressed: Set<string>): PageStep | string | null {
  if (!isObject(raw)) return "it isn’t a step.";
  const { type, key } = raw;
  if (typeof type !== "string") return "it has no type.";
  const left = whyLeft(raw);
  if (left) return left;
  // A key is released by itself once it was pressed; modifiers are held for the keys that follow.
  if (type === "keyDown" && typeof key === "string" && !modifiers.has(key)) pressed.add(key);
  if (type === "keyUp" && typeof key === "string" && pressed.delete(key)) return null;
  const step = PageSteps.element.safeParse(toSubset(raw));
  return step.success ? step.data : (step.error.issues[0]?.message ?? "it can’t be read.");
}

function whyLeft(step: Json): string | null {
  const { type } = step;
  if (type === "waitForExpression")
    return "it runs code in the page, which isn’t possible here. Wait for an element, a text or a URL instead.";
  if (type === "customStep" && step.name !== "waitForUrl" && step.name !== "closeOverlay")
    return `only the tool that recorded it can run the custom step “${typeof step.name === "string" ? step.name.slice(0, 60) : ""}”.`;
  if (type === "emulateNetworkConditions") return "the network isn’t slowed down here.";
  if (type === "close") return "the page stays open for the capture.";
  if (type !== "waitForElement") return null;
  if (step.attributes || step.properties)
    return "an element’s attributes or properties can’t be waited for. Write them as a CSS selector.";
  const isAtLeastOne = step.count === undefined || (step.count === 1 && step.operator !== "<=");
  return isAtLeastOne ? null : "a number of elements can’t be waited for, only that there is one.";
}

/** Selectors as lists of chains, also from the older spellings, and only one asserted navigation. */
function toSubset(step: Json): Json {
  const { selectors = step.selector === undefined ? undefined : [step.selector], assertedEvents } = step;
  const lists = Array.isArray(selectors)
    ? selectors.map((each: unknown) => (typeof each === "string" ? [each] : each)).slice(0, 8)
    : selectors;
  const opens = Array.isArray(assertedEvents)
    ? assertedEvents.some((event: unknown) => isObject(event) && event.type === "navigation")
    : false;
  const { assertedEvents: _, ...rest } = step;
  return {
    ...rest,
    ...(lists !== undefined && { selectors: lists }),
    ...(opens && { assertedEvents: [{ type: "navigation" }] }),
  };
}
