import { useEffect, useRef, useState } from "react";
import type { Found, Question } from "./diff-worker.ts";
import { cutLines, type Diff, type DiffRequest, type Elements } from "./lines.ts";

type Made = { diff: Diff | "failed"; elements?: Elements };

/**
 * The difference of two texts, made beside the page's thread; undefined until it is there. Its elements, which take
 * longer than it does, are looked for once it is drawn, and only if somebody wants them.
 */
export function useDiff(request: DiffRequest | undefined, wantsElements: boolean): Made | undefined {
  const [state, setState] = useState<Made & { request: DiffRequest }>();
  const asked = useRef<(question: Question) => void>(undefined);
  const before = request?.before;
  const after = request?.after;
  const formatted = request?.formatted;
  useEffect(() => {
    if (before === undefined || after === undefined || formatted === undefined) return;
    const wanted = { before, after, formatted };
    const worker = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Found>) => {
      if ("elements" in data) return setState((made) => made && { ...made, ...data });
      const diff = { old: cutLines(data.old), new: cutLines(data.new), hunks: data.hunks };
      setState({ request: wanted, diff });
    };
    worker.onerror = () =>
      setState((made) => (made?.request === wanted ? made : { request: wanted, diff: "failed" }));
    asked.current = (question) => worker.postMessage(question);
    asked.current(wanted);
    return () => worker.terminate();
  }, [before, after, formatted]);
  const isCurrent =
    state &&
    state.request.before === before &&
    state.request.after === after &&
    state.request.formatted === formatted;
  const isDrawn = isCurrent && state.diff !== "failed";
  useEffect(() => {
    if (isDrawn && wantsElements) asked.current?.("elements");
  }, [isDrawn, wantsElements]);
  return isCurrent ? state : undefined;
}
