import { type Diff, type DiffRequest, type Elements, makeDiff } from "./lines.ts";

/** The difference is told as soon as it is known, its elements when they are. */
export type Found = { diff: Diff } | { elements: Elements };

const tell = (found: Found) => postMessage(found);

// Off the page's own thread: a large pair must not hold up a single frame.
addEventListener("message", ({ data }: MessageEvent<DiffRequest>) => {
  const { findElements, ...diff } = makeDiff(data);
  tell({ diff });
  tell({ elements: findElements() });
});
