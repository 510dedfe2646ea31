import { useEffect, useRef } from "react";

export type Command =
  | "previous"
  | "next"
  | "image"
  | "compare"
  | "showPrevious"
  | "side"
  | "slider"
  | "onion"
  | "blink"
  | "difference"
  | "nextChange"
  | "previousChange"
  | "layout"
  | "filter"
  | "wrap"
  | "source"
  | "find"
  | "locate"
  | "noise"
  | "zoomIn"
  | "zoomOut"
  | "zoomReset"
  | "actualSize"
  | "pan"
  | "panel"
  | "triggers"
  | "help";

/** Every keyboard shortcut of the viewer, in the order in which '?' shows them. */
export const shortcuts: { keys: string[]; command: Command; says: string }[] = [
  { keys: ["ArrowLeft"], command: "previous", says: "Previous execution" },
  { keys: ["ArrowRight"], command: "next", says: "Next execution" },
  { keys: ["n"], command: "nextChange", says: "Next change" },
  { keys: ["N", "p"], command: "previousChange", says: "Previous change" },
  { keys: ["l"], command: "locate", says: "From a region to its HTML, and back" },
  { keys: ["o"], command: "noise", says: "Regions ignored as noise" },
  { keys: ["i"], command: "image", says: "Image or HTML" },
  { keys: ["c"], command: "compare", says: "Compare, or one capture alone" },
  { keys: ["v"], command: "showPrevious", says: "Compare with the previous, or the next" },
  { keys: ["1"], command: "side", says: "Side by side" },
  { keys: ["2"], command: "slider", says: "Slider" },
  { keys: ["3"], command: "onion", says: "Onion skin" },
  { keys: ["4"], command: "blink", says: "Blink" },
  { keys: ["5"], command: "difference", says: "Difference" },
  { keys: ["+", "="], command: "zoomIn", says: "Zoom in" },
  { keys: ["-"], command: "zoomOut", says: "Zoom out" },
  { keys: ["0"], command: "zoomReset", says: "Fit the width" },
  { keys: ["9"], command: "actualSize", says: "Actual size, 100%" },
  { keys: ["Shift ←", "Shift →"], command: "pan", says: "Pan sideways" },
  { keys: ["u"], command: "layout", says: "HTML side by side, or unified" },
  { keys: ["f"], command: "filter", says: "Filter new findings" },
  { keys: ["w"], command: "wrap", says: "Wrap long lines" },
  { keys: ["r"], command: "source", says: "Formatted, or as received" },
  { keys: ["/"], command: "find", says: "Search the HTML" },
  { keys: ["s"], command: "panel", says: "Side panel" },
  { keys: ["t"], command: "triggers", says: "Trigger HTTP" },
  { keys: ["?"], command: "help", says: "These keys" },
];

const commands = new Map(shortcuts.flatMap(({ keys, command }) => keys.map((key) => [key, command])));

/** Runs commands by their keys, unless the user is typing or a dialog is open on top. */
export function useKeys(run: (command: Command) => void, isActive: boolean): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isActive) return;
    function handleKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      const isRange = target instanceof HTMLInputElement && target.type === "range";
      if (isRange && event.key.startsWith("Arrow")) return;
      if (!isRange && target.matches("input:not([type=checkbox]), textarea, select")) return;
      const sideways = event.shiftKey ? panKeys[event.key] : undefined;
      const command = sideways ? "pan" : commands.get(event.key);
      if (!command) return;
      event.preventDefault();
      if (sideways) pan(target, sideways);
      else latest.current(command);
    }
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, [isActive]);
}

const panKeys: Record<string, number> = { ArrowLeft: -120, ArrowRight: 120 };

/** Scrolls the HTML by its own scroll bar, or the focused picture, or else the first picture. */
function pan(target: Element, left: number): void {
  const view = target.closest("[role=dialog]") ?? document;
  const scroller =
    view.querySelector("[data-sideways]") ??
    target.closest("[data-scroller]") ??
    view.querySelector("[data-scroller]");
  scroller?.scrollBy({ left, behavior: "instant" });
}
