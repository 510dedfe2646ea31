import { useCallback, useMemo, useRef, useState } from "react";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { useMedia } from "#web/ui/use-media.ts";
import type { Counts } from "../html/code-view.tsx";
import { type ImageMode, imageModes } from "../image/image-compare.tsx";
import { type Marks, regionAt } from "../image/regions.ts";
import type { Command } from "../keyboard-shortcuts/keys.ts";
import { clampZoom, defaultMode, type Look, readViewState } from "./view-state.ts";

const flag = (on: boolean) => (on ? "1" : null);

type Known = { count: number | undefined; fit: number; counts: Counts | undefined; marks: Marks };

/** The URL changes that lead from the focused region to its line, or from the focused change to its region, if any. */
function locateParts(
  { show, at, find }: Look,
  counts: Counts | undefined,
  marks: Marks,
): Record<string, string | null> {
  if (show === "image") return regionAt(marks, at)?.at ? { show: "html", at: null, region: String(at) } : {};
  const region = find ? -1 : (counts?.regions[at] ?? -1);
  const isNoise = region >= marks.regions.length;
  return region < 0 ? {} : { show: null, at: String(region), ...(isNoise ? { noise: "1" } : {}) };
}

/** Returns what a command changes in the URL; undefined if the command is not handled here. */
function partsFor(
  command: Command,
  look: Look,
  { count = 0, fit, counts, marks }: Known,
): Record<string, string | null> | undefined {
  const zoomBy = (factor: number) => {
    const currentZoom = look.zoom ?? fit;
    const zoom = clampZoom(currentZoom * factor);
    // Zooming never skips a picture's actual size.
    const crossesActualSize = Math.min(currentZoom, zoom) < 0.99 && Math.max(currentZoom, zoom) > 1.01;
    return { zoom: String(crossesActualSize ? 1 : Number(zoom.toFixed(2))) };
  };
  const step = (by: number) => {
    // From a region that is not counted, such as noise, continue with the first or the last one.
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
      return locateParts(look, counts, marks);
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

/** How the comparison is displayed, and the commands that change it. */
export function useViewState(hasImage: boolean, marks: Marks, isKnown: boolean) {
  const [search, change] = useUrlParams();
  const isPhone = useMedia("(width < 500px)");
  const look = useMemo(() => readViewState(search, hasImage, isPhone), [search, hasImage, isPhone]);
  const [counts, setCounts] = useState<Counts>();
  // A key may be pressed before the new counts are rendered.
  const counted = useRef<Counts>(undefined);
  const onCounted = useCallback((found: Counts | undefined) => {
    counted.current = found;
    setCounts(found);
  }, []);
  const [findFocus, setFindFocus] = useState(0);
  const [steps, setSteps] = useState(0);
  // The zoom that fits is determined where the picture is rendered.
  const fit = useRef(1);
  // Undefined until the comparison is known.
  const regionCount = isKnown ? marks.regions.length : undefined;
  const count = look.show === "image" ? regionCount : look.find ? counts?.hits : counts?.changes;
  /** Returns whether the command was handled here. */
  function run(command: Command): boolean {
    if (command === "find") setFindFocus((times) => times + 1);
    if (command === "nextChange" || command === "previousChange") setSteps((taken) => taken + 1);
    const known = { count, fit: fit.current, counts: counted.current, marks };
    const parts = partsFor(command, look, known);
    if (!parts) return false;
    // Uses the current URL instead of the rendered one: held keys repeat faster than a large page renders.
    change((now) => partsFor(command, readViewState(now, hasImage, isPhone), known) ?? {}, true);
    return true;
  }

  return {
    look,
    count,
    run,
    onCounted,
    canLocate: Object.keys(locateParts(look, counts, marks)).length > 0,
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
    setMode: (mode: ImageMode) => change({ mode: mode === defaultMode(isPhone) ? null : mode }, true),
    setFind: (text: string) => change({ find: text || null, at: null }, true),
  };
}
