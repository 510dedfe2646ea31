import { type DiffRequest, type Elements, joinLines, type LineHunk, makeDiff } from "./lines.ts";

/** What the worker posts: a diff with its lines joined for the transfer, or its elements on request. */
export type Found = { old: string; new: string; hunks: LineHunk[] } | { elements: Elements };

export type Question = DiffRequest | "elements";

const reply = (found: Found) => postMessage(found);
let findElements: (() => Elements) | undefined;

// Runs outside the page's thread: a large pair must not delay a single frame.
addEventListener("message", ({ data }: MessageEvent<Question>) => {
  if (data === "elements") {
    if (findElements) reply({ elements: findElements() });
    return;
  }
  const computed = makeDiff(data);
  findElements = computed.findElements;
  reply({ old: joinLines(computed.old), new: joinLines(computed.new), hunks: computed.hunks });
});
