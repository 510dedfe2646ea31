import { type ImageMode, imageModes } from "../image/image-compare.tsx";

/** How a comparison is displayed; all of it is in the URL. */
export type Look = {
  show: "image" | "html";
  mode: ImageMode;
  layout: "split" | "unified";
  filter: boolean;
  wrap: boolean;
  /** Whether noise regions are drawn too. */
  noise: boolean;
  /** A region whose line in the HTML should be located. */
  region: number | null;
  formatted: boolean;
  /** 1 is a picture's actual size; null fits it to the available width. */
  zoom: number | null;
  /** Index of the region, change or hit in focus, from 0. */
  at: number;
  find: string;
};

/** On phones the pictures lie on top of each other: two next to each other would be too small to see anything. */
export const defaultMode = (isPhone: boolean): ImageMode => (isPhone ? "slider" : "side");

export function readViewState(search: URLSearchParams, hasImage: boolean, isPhone = false): Look {
  const mode = imageModes.find((known) => known === search.get("mode")) ?? defaultMode(isPhone);
  const zoom = Number(search.get("zoom") ?? Number.NaN);
  const at = Number(search.get("at") ?? 0);
  const region = Number(search.get("region") ?? Number.NaN);
  return {
    show: hasImage && search.get("show") !== "html" ? "image" : "html",
    mode,
    layout: search.get("layout") === "unified" ? "unified" : "split",
    filter: search.has("filter"),
    wrap: search.has("wrap"),
    noise: search.has("noise"),
    region: Number.isInteger(region) && region >= 0 ? region : null,
    formatted: !search.has("raw"),
    zoom: Number.isFinite(zoom) ? clampZoom(zoom) : null,
    at: Number.isInteger(at) && at >= 0 ? at : 0,
    find: search.get("find") ?? "",
  };
}

export function clampZoom(zoom: number): number {
  return Math.min(8, Math.max(0.05, zoom));
}

/** The viewer's URL parameters, which are removed when it closes. */
export const viewerParts = [
  "execution",
  "with",
  "show",
  "mode",
  "layout",
  "filter",
  "wrap",
  "noise",
  "region",
  "raw",
  "zoom",
  "at",
  "find",
  "panel",
  "triggers",
  "trial",
];

type Neighbors = { baselineId: string | null; previousId: string | null; nextId: string | null };

/** Returns which execution to compare with: "previous" (the verdict's baseline), "next", none, or a chosen one. */
export function comparedIdOf(choice: string | null, id: string, detail: Neighbors): string | null {
  if (choice === "off") return null;
  if (choice === "next") return detail.nextId;
  if (choice === null || choice === "previous") return detail.baselineId ?? detail.previousId;
  return choice === id ? null : choice;
}

/** Orders two executions by time: ids increase with time, so the smaller one is older. */
export function inOrder(a: string, b: string): { from: string; to: string } {
  return a < b ? { from: a, to: b } : { from: b, to: a };
}
