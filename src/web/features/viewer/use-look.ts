import { useMemo, useRef, useState } from "react";
import { useAddress } from "#web/ui/use-address.ts";
import type { Counts } from "./html/code-view.tsx";
import { type ImageMode, imageModes } from "./image/image-compare.tsx";
import type { Command } from "./keys.ts";
import { type Look, lookOf, withinZoom } from "./view-state.ts";

const flag = (on: boolean) => (on ? "1" : null);

/** What a command changes in the address; undefined when it is not one of these. */
function partsFor(
  command: Command,
  look: Look,
  { count = 0, fit }: { count: number | undefined; fit: number },
): Record<string, string | null> | undefined {
  const zoomBy = (factor: number) => {
    const before = look.zoom ?? fit;
    const zoom = withinZoom(before * factor);
    // Nobody steps over a picture's own size.
    const passesOne = Math.min(before, zoom) < 0.99 && Math.max(before, zoom) > 1.01;
    return { zoom: String(passesOne ? 1 : Number(zoom.toFixed(2))) };
  };
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
      return zoomBy(1.25);
    case "zoomOut":
      return zoomBy(1 / 1.25);
    case "zoomReset":
      return { zoom: null };
    case "actualSize":
      return { zoom: "1" };
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
  // What fits is known where the picture is drawn.
  const fit = useRef(1);
  // Undefined while it is not known.
  const count = look.show === "image" ? regions : look.find ? counts?.hits : counts?.changes;
  /** Answers whether the command was one of these. */
  function run(command: Command): boolean {
    if (command === "find") setFindFocus((times) => times + 1);
    if (command === "nextChange" || command === "previousChange") setSteps((taken) => taken + 1);
    const known = { count, fit: fit.current };
    const parts = partsFor(command, look, known);
    if (!parts) return false;
    // By the address as it is now, not as it was drawn: held keys come faster than a large page is drawn.
    change((now) => partsFor(command, lookOf(now, hasImage), known) ?? {}, true);
    return true;
  }

  return {
    look,
    count,
    run,
    onCounted: setCounts,
    onFit: (scale: number) => {
      fit.current = scale;
    },
    findFocus,
    steps,
    setMode: (mode: ImageMode) => change({ mode: mode === "side" ? null : mode }, true),
    setFind: (text: string) => change({ find: text || null, at: null }, true),
  };
}
