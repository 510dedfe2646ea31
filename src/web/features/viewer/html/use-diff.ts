import { useEffect, useState } from "react";
import type { Found } from "./diff-worker.ts";
import type { Diff, DiffRequest, Elements } from "./lines.ts";

type Made = { diff: Diff | "failed"; elements?: Elements };

/** The difference of two texts, made beside the page's thread; undefined until it is there. */
export function useDiff(request: DiffRequest | undefined): Made | undefined {
  const [state, setState] = useState<Made & { request: DiffRequest }>();
  const before = request?.before;
  const after = request?.after;
  const formatted = request?.formatted;
  useEffect(() => {
    if (before === undefined || after === undefined || formatted === undefined) return;
    const wanted = { before, after, formatted };
    const worker = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Found>) =>
      setState((made) => ("diff" in data ? { request: wanted, ...data } : made && { ...made, ...data }));
    worker.onerror = () =>
      setState((made) => (made?.request === wanted ? made : { request: wanted, diff: "failed" }));
    worker.postMessage(wanted);
    return () => worker.terminate();
  }, [before, after, formatted]);
  const isCurrent =
    state &&
    state.request.before === before &&
    state.request.after === after &&
    state.request.formatted === formatted;
  return isCurrent ? state : undefined;
}
