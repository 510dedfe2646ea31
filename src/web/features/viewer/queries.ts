import { useQuery } from "@tanstack/react-query";
import { call, type ReplyOf, stream } from "#web/api/call.ts";
import { picture } from "#web/api/images.ts";
import type { TestRules } from "#web/api/test-rules.ts";
import { exactTime } from "#web/ui/time/relative-time.ts";
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

// Alerts and triggers are sent after a change was recorded, so a changed execution is reloaded for this long.
const settlingMs = 60_000;

/** An execution, reloaded while its alerts or triggers are in progress. */
export function useExecution(jobId: string, executionId: string | null, keepsLast = false) {
  return useQuery<Detail>({
    queryKey: ["execution", jobId, executionId],
    enabled: executionId !== null,
    // The last execution stays visible while the next one loads.
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

/** How two executions differ, under the rules that are being tested if there are any. */
export function useComparison(
  jobId: string,
  range: { from: string; to: string } | undefined,
  tried?: TestRules,
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

/** The first and the last execution, where previous and next wrap around. */
export function useFirstAndLastExecution(jobId: string, isNeeded: boolean) {
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
      const html = await stream(
        "GET /api/jobs/:jobId/executions/:executionId/html",
        { params: { jobId, executionId: id } },
        { signal },
      );
      return html.text();
    },
  };
}
