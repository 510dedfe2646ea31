import type { PageStep } from "#contract/page-steps.ts";

/** What a user can choose a step to do; some are the same type of step with other details. */
export type StepChoice =
  | "navigate"
  | "click"
  | "doubleClick"
  | "hover"
  | "change"
  | "key"
  | "release"
  | "scroll"
  | "element"
  | "gone"
  | "text"
  | "url"
  | "overlay"
  | "viewport";

export const stepChoices: Record<StepChoice, string> = {
  navigate: "Open a URL",
  click: "Click",
  doubleClick: "Double-click",
  hover: "Hover over",
  change: "Enter or select",
  key: "Press a key",
  release: "Release a key",
  scroll: "Scroll",
  element: "Wait for an element",
  gone: "Wait until an element is gone",
  text: "Wait for text",
  url: "Wait for a URL",
  overlay: "Close an overlay",
  viewport: "Set the window size",
};

export function choiceOf(step: PageStep): StepChoice {
  switch (step.type) {
    case "keyDown":
      return "key";
    case "keyUp":
      return "release";
    case "setViewport":
      return "viewport";
    case "customStep":
      return step.name === "closeOverlay" ? "overlay" : "url";
    case "waitForElement":
      if (step.visible === false) return "gone";
      return isText(step) ? "text" : "element";
    default:
      return step.type;
  }
}

const isText = ({ selectors }: { selectors: string[][] }) =>
  selectors.length === 1 && selectors[0]?.length === 1 && selectors[0][0]?.startsWith("text/") === true;

const between = " >>> ";
/** Ways to find an element, one per line; a chain through shadow roots is joined by >>>. */
export const toLines = (selectors: string[][] = []) =>
  selectors.map((chain) => chain.join(between)).join("\n");
export const fromLines = (text: string) => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 ? lines.map((line) => line.split(between)) : [[""]];
};

const none = [[""]];

/** A step of another kind, with what it has in common with the one before. */
export function changeChoice(choice: StepChoice, old?: PageStep): PageStep {
  const known = old && "selectors" in old ? old.selectors : undefined;
  const selectors = known && !(old && choiceOf(old) === "text") ? known : none;
  const frame = old && "frame" in old && old.frame ? { frame: old.frame } : {};
  switch (choice) {
    case "navigate":
      return { type: "navigate", url: "" };
    case "click":
    case "doubleClick":
    case "hover":
      return { type: choice, selectors, ...frame };
    case "change":
      return { type: "change", selectors, ...frame, value: "" };
    case "key":
      return { type: "keyDown", key: "Enter" };
    case "release":
      return { type: "keyUp", key: "Shift" };
    case "scroll":
      return { type: "scroll", x: 0, y: 1000 };
    case "element":
      return { type: "waitForElement", selectors, ...frame };
    case "gone":
      return { type: "waitForElement", selectors, ...frame, visible: false };
    case "text":
      return { type: "waitForElement", selectors: [["text/"]] };
    case "url":
      return { type: "customStep", name: "waitForUrl", parameters: { url: "" } };
    case "overlay":
      return { type: "customStep", name: "closeOverlay", parameters: {} };
    case "viewport":
      return { type: "setViewport", width: 1280, height: 800 };
  }
}

/** What is still missing in a step; undefined if it is complete. */
export function checkStep(step: PageStep): string | undefined {
  if ("selectors" in step && step.selectors) {
    const isEmpty = step.selectors.flat().some((selector) => selector.trim() === "" || selector === "text/");
    if (isEmpty) return choiceOf(step) === "text" ? "Enter a text." : "Enter a selector.";
  }
  if (step.type === "navigate" && !/^https?:\/\/./i.test(step.url)) return "Start with http:// or https://.";
  if ((step.type === "keyDown" || step.type === "keyUp") && step.key === "") return "Enter a key.";
  if (choiceOf(step) === "url" && step.type === "customStep" && !step.parameters.url)
    return "Enter a part of the URL.";
  return undefined;
}
