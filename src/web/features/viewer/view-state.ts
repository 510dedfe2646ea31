import { type ImageMode, imageModes } from "./image/image-compare.tsx";

/** How a comparison is looked at; all of it is in the address. */
export type Look = {
  show: "image" | "html";
  mode: ImageMode;
  layout: "split" | "unified";
  filter: boolean;
  wrap: boolean;
  /** Whether regions of what was taken for noise are drawn too. */
  noise: boolean;
  /** A region whose line in the HTML is looked for. */
  region: number | null;
  formatted: boolean;
  /** 1 is a picture's own size; null fits it to the room there is. */
  zoom: number | null;
  /** Which region, change or hit is in focus, from 0. */
  at: number;
  find: string;
};

export function lookOf(search: URLSearchParams, hasImage: boolean): Look {
  const mode = imageModes.find((known) => known === search.get("mode")) ?? "side";
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
    zoom: Number.isFinite(zoom) ? withinZoom(zoom) : null,
    at: Number.isInteger(at) && at >= 0 ? at : 0,
    find: search.get("find") ?? "",
  };
}

export function withinZoom(zoom: number): number {
  return Math.min(8, Math.max(0.05, zoom));
}

/** Parts of the address that belong to the viewer, for leaving it. */
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
];

type Neighbours = { baselineId: string | null; previousId: string | null; nextId: string | null };

/** Which execution this one is compared with: "previous" (as its verdict was), "next", none, or a chosen one. */
export function partnerOf(choice: string | null, id: string, detail: Neighbours): string | null {
  if (choice === "off") return null;
  if (choice === "next") return detail.nextId;
  if (choice === null || choice === "previous") return detail.baselineId ?? detail.previousId;
  return choice === id ? null : choice;
}

/** Ids are made in the order of time, so the older capture is always the one before. */
export function inOrder(a: string, b: string): { from: string; to: string } {
  return a < b ? { from: a, to: b } : { from: b, to: a };
}
