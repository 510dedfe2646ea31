import { useInfiniteQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "./call.ts";

export type History = ReplyOf<"GET /api/jobs/:jobId/executions">;

export const historyKey = (jobId: string, changesOnly: boolean) => ["history", jobId, changesOnly];

const pageSize = 100;

/** A job's executions, newest first, page by page. */
export function useHistory(jobId: string, changesOnly = false) {
  return useInfiniteQuery({
    queryKey: historyKey(jobId, changesOnly),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call(
        "GET /api/jobs/:jobId/executions",
        {
          params: { jobId },
          query: { limit: pageSize, cursor: pageParam, only: changesOnly ? "changes" : undefined },
        },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}
