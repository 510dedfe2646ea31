import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type ReplyOf } from "./call.ts";

export type Me = ReplyOf<"GET /api/me">;

export const meKey = ["me"];

/** The signed-in user; null once the session has ended. */
export function useMe(): UseQueryResult<Me | null> {
  return useQuery<Me | null>({
    queryKey: meKey,
    queryFn: ({ signal }) => call("GET /api/me", undefined, { signal }),
  });
}

/** Returns a function that reloads the user after their data has changed. */
export function useRefreshMe(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: meKey });
}
