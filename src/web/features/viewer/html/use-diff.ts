import { useEffect, useState } from "react";
import type { Diff, DiffRequest } from "./lines.ts";

type State = { request: DiffRequest; diff: Diff | "failed" };

/** The difference of two texts, made beside the page's thread; undefined until it is there. */
export function useDiff(request: DiffRequest | undefined): Diff | "failed" | undefined {
  const [state, setState] = useState<State>();
  const before = request?.before;
  const after = request?.after;
  const formatted = request?.formatted;
  useEffect(() => {
    if (before === undefined || after === undefined || formatted === undefined) return;
    const wanted = { before, after, formatted };
    const worker = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Diff>) => setState({ request: wanted, diff: data });
    worker.onerror = () => setState({ request: wanted, diff: "failed" });
    worker.postMessage(wanted);
    return () => worker.terminate();
  }, [before, after, formatted]);
  const isCurrent =
    state &&
    state.request.before === before &&
    state.request.after === after &&
    state.request.formatted === formatted;
  return isCurrent ? state.diff : undefined;
}
