import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";

export type Resume = ReplyOf<"GET /api/analytics/resume">;

/** The dashboard's numbers and panels. */
export function useResume(): UseQueryResult<Resume> {
  return useQuery({
    queryKey: ["analytics", "resume"],
    queryFn: ({ signal }) => call("GET /api/analytics/resume", undefined, { signal }),
  });
}
