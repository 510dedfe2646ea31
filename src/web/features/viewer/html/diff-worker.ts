import { type DiffRequest, makeDiff } from "./lines.ts";

// Off the page's own thread: a large pair must not hold up a single frame.
addEventListener("message", ({ data }: MessageEvent<DiffRequest>) => postMessage(makeDiff(data)));
