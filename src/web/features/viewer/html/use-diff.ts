import { useEffect, useRef, useState } from "react";
import type { Found, Question } from "./diff-worker.ts";
import { cutLines, type Diff, type DiffRequest, type Elements } from "./lines.ts";

type DiffState = { diff: Diff | "failed"; elements?: Elements };

/**
 * The diff of two texts, computed in a worker; undefined until it is ready. Its elements, which take longer to find,
 * are requested once the diff is rendered, and only if `wantsElements` is set.
 */
export function useDiff(request: DiffRequest | undefined, wantsElements: boolean): DiffState | undefined {
  const [state, setState] = useState<DiffState & { request: DiffRequest }>();
  const postQuestion = useRef<(question: Question) => void>(undefined);
  const before = request?.before;
  const after = request?.after;
  const formatted = request?.formatted;
  useEffect(() => {
    if (before === undefined || after === undefined || formatted === undefined) return;
    const wanted = { before, after, formatted };
    const worker = new Worker(new URL("./diff-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Found>) => {
      if ("elements" in data) return setState((current) => current && { ...current, ...data });
      const diff = { old: cutLines(data.old), new: cutLines(data.new), hunks: data.hunks };
      setState({ request: wanted, diff });
    };
    worker.onerror = () =>
      setState((current) => (current?.request === wanted ? current : { request: wanted, diff: "failed" }));
    postQuestion.current = (question) => worker.postMessage(question);
    postQuestion.current(wanted);
    return () => worker.terminate();
  }, [before, after, formatted]);
  const isCurrent =
    state &&
    state.request.before === before &&
    state.request.after === after &&
    state.request.formatted === formatted;
  const isDrawn = isCurrent && state.diff !== "failed";
  useEffect(() => {
    if (isDrawn && wantsElements) postQuestion.current?.("elements");
  }, [isDrawn, wantsElements]);
  return isCurrent ? state : undefined;
}
