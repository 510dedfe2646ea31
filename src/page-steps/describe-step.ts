import type { PageStep } from "#contract/page-steps.ts";

const maxWords = 60;
const short = (text: string) => (text.length > maxWords ? `${text.slice(0, maxWords - 1)}…` : text);

/** An element in words: its name or text if a selector says it, else the first selector. */
function describeElement(selectors: readonly (readonly string[])[]): string {
  const all = selectors.map((chain) => chain.at(-1) ?? "");
  const named = all.find((selector) => /^(aria|text)\/./.test(selector));
  if (!named) return short(all[0] ?? "");
  const name = named.replace(/^(aria|text)\//, "").replace(/\[role="[^"]*"\]$/, "");
  return name ? `“${short(name)}”` : short(all[0] ?? "");
}

/** Whether a selector finds its element by the element's words only. */
export const isTextSelector = (selector: string) => selector.startsWith("text/");

/** A step in words, as in “Click “Sign in””. Secrets are named, never shown. */
export function describeStep(step: PageStep): string {
  switch (step.type) {
    case "navigate":
      return `Open ${short(step.url)}`;
    case "click":
      return `Click ${describeElement(step.selectors)}`;
    case "doubleClick":
      return `Double-click ${describeElement(step.selectors)}`;
    case "hover":
      return `Hover over ${describeElement(step.selectors)}`;
    case "change":
      return `Enter “${short(step.value)}” in ${describeElement(step.selectors)}`;
    case "keyDown":
      return `Press ${step.key}`;
    case "keyUp":
      return `Release ${step.key}`;
    case "scroll":
      return step.selectors ? `Scroll ${describeElement(step.selectors)}` : "Scroll the page";
    case "waitForElement": {
      const element = describeElement(step.selectors);
      return step.visible === false ? `Wait until ${element} is gone` : `Wait for ${element}`;
    }
    case "setViewport":
      return `Set the window to ${step.width} × ${step.height}`;
    case "customStep":
      return step.name === "closeOverlay"
        ? "Close an overlay"
        : `Wait for the URL ${short(step.parameters.url ?? "")}`;
  }
}
