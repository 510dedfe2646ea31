import { useCallback, useMemo, useRef, useState } from "react";
import { useAddress } from "#web/ui/use-address.ts";
import type { Counts } from "./html/code-view.tsx";
import { type ImageMode, imageModes } from "./image/image-compare.tsx";
import type { Command } from "./keys.ts";
import { type Marks, regionAt } from "./regions.ts";
import { type Look, lookOf, withinZoom } from "./view-state.ts";

const flag = (on: boolean) => (on ? "1" : null);

type Known = { count: number | undefined; fit: number; counts: Counts | undefined; marks: Marks };

/** From the region in focus to its line, or from the change in focus to its region; where there is none, nothing. */
function otherSide(
  { show, at, find }: Look,
  counts: Counts | undefined,
  marks: Marks,
): Record<string, string | null> {
  if (show === "image") return regionAt(marks, at)?.at ? { show: "html", at: null, region: String(at) } : {};
  const region = find ? -1 : (counts?.regions[at] ?? -1);
  const isNoise = region >= marks.regions.length;
  return region < 0 ? {} : { show: null, at: String(region), ...(isNoise ? { noise: "1" } : {}) };
}

/** What a command changes in the address; undefined when it is not one of these. */
function partsFor(
  command: Command,
  look: Look,
  { count = 0, fit, counts, marks }: Known,
): Record<string, string | null> | undefined {
  const zoomBy = (factor: number) => {
    const before = look.zoom ?? fit;
    const zoom = withinZoom(before * factor);
    // Nobody steps over a picture's own size.
    const passesOne = Math.min(before, zoom) < 0.99 && Math.max(before, zoom) > 1.01;
    return { zoom: String(passesOne ? 1 : Number(zoom.toFixed(2))) };
  };
  const step = (by: number) => {
    // From what is not counted, as noise, on to the first or the last.
    const from = look.at < count ? look.at : by > 0 ? count - 1 : 0;
    return { at: count === 0 ? null : String((from + by + count) % count) };
  };
  const mode = imageModes.find((known) => known === command);
  if (mode) return { mode, show: null };
  switch (command) {
    case "image":
      return { show: look.show === "image" ? "html" : null, at: null, find: null, region: null };
    case "layout":
      return { layout: look.layout === "split" ? "unified" : null };
    case "filter":
      return { filter: flag(!look.filter), show: "html" };
    case "wrap":
      return { wrap: flag(!look.wrap) };
    case "noise":
      return { noise: flag(!look.noise) };
    case "locate":
      return otherSide(look, counts, marks);
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
export function useLook(hasImage: boolean, marks: Marks, isKnown: boolean) {
  const [search, change] = useAddress();
  const look = useMemo(() => lookOf(search, hasImage), [search, hasImage]);
  const [counts, setCounts] = useState<Counts>();
  // A key may come before what was just counted is drawn.
  const counted = useRef<Counts>(undefined);
  const onCounted = useCallback((found: Counts | undefined) => {
    counted.current = found;
    setCounts(found);
  }, []);
  const [findFocus, setFindFocus] = useState(0);
  const [steps, setSteps] = useState(0);
  // What fits is known where the picture is drawn.
  const fit = useRef(1);
  // Undefined while it is not known.
  const shown = isKnown ? marks.regions.length : undefined;
  const count = look.show === "image" ? shown : look.find ? counts?.hits : counts?.changes;
  /** Answers whether the command was one of these. */
  function run(command: Command): boolean {
    if (command === "find") setFindFocus((times) => times + 1);
    if (command === "nextChange" || command === "previousChange") setSteps((taken) => taken + 1);
    const known = { count, fit: fit.current, counts: counted.current, marks };
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
    onCounted,
    canLocate: Object.keys(otherSide(look, counts, marks)).length > 0,
    onLocated: (at: number) => change({ at: String(at), region: null }, true),
    /** Brings a region of the pictures into focus. */
    showRegion: (at: number) => {
      setSteps((taken) => taken + 1);
      change({ show: null, at: String(at), ...(at >= marks.regions.length ? { noise: "1" } : {}) }, true);
    },
    onFit: (scale: number) => {
      fit.current = scale;
    },
    findFocus,
    steps,
    setMode: (mode: ImageMode) => change({ mode: mode === "side" ? null : mode }, true),
    setFind: (text: string) => change({ find: text || null, at: null }, true),
  };
}
