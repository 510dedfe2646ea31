import { useQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { picture } from "#web/api/images.ts";
import type { TrialRules } from "#web/api/trial-rules.ts";
import { exactTime } from "#web/ui/relative-time.ts";
import type { Capture } from "./capture-pane.tsx";

export type Detail = ReplyOf<"GET /api/jobs/:jobId/executions/:executionId">;
export type Comparison = ReplyOf<"GET /api/jobs/:jobId/compare">;
export type Job = ReplyOf<"GET /api/jobs/:jobId">;

export function useViewedJob(jobId: string) {
  return useQuery({
    queryKey: ["job", jobId],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId", { params: { jobId } }, { signal }),
  });
}

// Messages and triggers of a change go out after it was recorded.
const settlingMs = 60_000;

/** An execution; read again while something it set off is under way. */
export function useExecution(jobId: string, executionId: string | null, keepsLast = false) {
  return useQuery<Detail>({
    queryKey: ["execution", jobId, executionId],
    enabled: executionId !== null,
    // While the next one is on its way, the last one stays in sight.
    placeholderData: keepsLast ? (last) => last : undefined,
    refetchInterval: ({ state }) => (state.data && isSettling(state.data) ? 2000 : false),
    queryFn: ({ signal }) =>
      call(
        "GET /api/jobs/:jobId/executions/:executionId",
        { params: { jobId, executionId: executionId ?? "" } },
        { signal },
      ),
  });
}

function isSettling({ changed, createdAt, deliveries, triggerRuns }: Detail): boolean {
  const isWaiting = [...deliveries, ...triggerRuns].some(({ state }) => state === "waiting");
  return isWaiting || (changed && Date.now() - Date.parse(createdAt) < settlingMs);
}

/** How two executions differ; by the rules that are being tried, where some are. */
export function useComparison(
  jobId: string,
  range: { from: string; to: string } | undefined,
  tried?: TrialRules,
) {
  return useQuery({
    queryKey: ["compare", jobId, range?.from, range?.to, ...(tried ? [JSON.stringify(tried)] : [])],
    enabled: range !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      tried && range
        ? call(
            "POST /api/jobs/:jobId/rules/compare",
            { params: { jobId }, body: { ...range, ...tried } },
            { signal },
          )
        : call(
            "GET /api/jobs/:jobId/compare",
            { params: { jobId }, query: range ?? { from: "", to: "" } },
            { signal },
          ),
  });
}

/** The first and the last execution of all, where previous and next wrap around. */
export function useEnds(jobId: string, isNeeded: boolean) {
  return useQuery({
    queryKey: ["ends", jobId],
    enabled: isNeeded,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/:jobId/timeline", { params: { jobId }, query: { pieces: 1 } }, { signal }),
  });
}

export function captureOf(execution: Detail): Capture {
  const { jobId, id, index, createdAt, hasImage } = execution;
  return {
    key: id,
    label: `#${index} · ${exactTime(Date.parse(createdAt))}`,
    image: hasImage ? picture(jobId, id) : null,
    load: async (signal) => {
      const blob = await call(
        "GET /api/jobs/:jobId/executions/:executionId/html",
        { params: { jobId, executionId: id } },
        { signal },
      );
      return blob.text();
    },
  };
}
