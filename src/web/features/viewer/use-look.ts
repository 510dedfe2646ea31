import { useMemo, useState } from "react";
import { useAddress } from "#web/ui/use-address.ts";
import type { Counts } from "./html/code-view.tsx";
import { type ImageMode, imageModes } from "./image/image-compare.tsx";
import type { Command } from "./keys.ts";
import { type Look, lookOf } from "./view-state.ts";

const flag = (on: boolean) => (on ? "1" : null);

/** What a command changes in the address; undefined when it is not one of these. */
function partsFor(command: Command, look: Look, count = 0): Record<string, string | null> | undefined {
  const zoomTo = (zoom: number) => ({ zoom: zoom === 1 ? null : String(Number(zoom.toFixed(2))) });
  const step = (by: number) => ({ at: count === 0 ? null : String((look.at + by + count) % count) });
  const mode = imageModes.find((known) => known === command);
  if (mode) return { mode, show: null };
  switch (command) {
    case "image":
      return { show: look.show === "image" ? "html" : null, at: null, find: null };
    case "layout":
      return { layout: look.layout === "split" ? "unified" : null };
    case "filter":
      return { filter: flag(!look.filter), show: "html" };
    case "wrap":
      return { wrap: flag(!look.wrap) };
    case "source":
      return { raw: flag(look.formatted), at: null };
    case "zoomIn":
      return zoomTo(Math.min(8, look.zoom * 1.25));
    case "zoomOut":
      return zoomTo(Math.max(0.25, look.zoom / 1.25));
    case "zoomReset":
      return zoomTo(1);
    case "nextChange":
      return step(1);
    case "previousChange":
      return step(-1);
    case "find":
      return look.show === "image" ? { show: "html", at: null } : {};
    default:
      return undefined;
  }
}

/** How the comparison is looked at, and the commands that change it. */
export function useLook(hasImage: boolean, regions: number | undefined) {
  const [search, change] = useAddress();
  const look = useMemo(() => lookOf(search, hasImage), [search, hasImage]);
  const [counts, setCounts] = useState<Counts>();
  const [findFocus, setFindFocus] = useState(0);
  const [steps, setSteps] = useState(0);
  // Undefined while it is not known.
  const count = look.show === "image" ? regions : look.find ? counts?.hits : counts?.changes;
  /** Answers whether the command was one of these. */
  function run(command: Command): boolean {
    if (command === "find") setFindFocus((times) => times + 1);
    if (command === "nextChange" || command === "previousChange") setSteps((taken) => taken + 1);
    const parts = partsFor(command, look, count);
    if (!parts) return false;
    // By the address as it is now, not as it was drawn: held keys come faster than a large page is drawn.
    change((now) => partsFor(command, lookOf(now, hasImage), count) ?? {}, true);
    return true;
  }

  return {
    look,
    count,
    run,
    onCounted: setCounts,
    findFocus,
    steps,
    setMode: (mode: ImageMode) => change({ mode: mode === "side" ? null : mode }, true),
    setFind: (text: string) => change({ find: text || null, at: null }, true),
  };
}
