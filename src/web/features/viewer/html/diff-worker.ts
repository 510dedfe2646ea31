import { type DiffRequest, type Elements, joinLines, type LineHunk, makeDiff } from "./lines.ts";

/** A difference as it crosses between threads, and its elements for those who ask for them. */
export type Found = { old: string; new: string; hunks: LineHunk[] } | { elements: Elements };

export type Question = DiffRequest | "elements";

const tell = (found: Found) => postMessage(found);
let findElements: (() => Elements) | undefined;

// Off the page's own thread: a large pair must not hold up a single frame.
addEventListener("message", ({ data }: MessageEvent<Question>) => {
  if (data === "elements") {
    if (findElements) tell({ elements: findElements() });
    return;
  }
  const made = makeDiff(data);
  findElements = made.findElements;
  tell({ old: joinLines(made.old), new: joinLines(made.new), hunks: made.hunks });
});
