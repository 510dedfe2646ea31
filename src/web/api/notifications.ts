import {
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "./call.ts";

export type Entry = ReplyOf<"GET /api/notifications">["notifications"][number];

const newestCount = 8;

/** The eight newest entries and how many are unread. */
export function useNewestNotifications() {
  return useQuery({
    queryKey: ["notifications", "newest"],
    queryFn: ({ signal }) => call("GET /api/notifications", { query: { limit: newestCount } }, { signal }),
  });
}

/** All entries, or those from before a time, a page at a time. */
export function useAllNotifications(until: string | undefined) {
  return useInfiniteQuery({
    queryKey: ["notifications", "all", until],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call("GET /api/notifications", { query: { limit: 50, cursor: pageParam, until } }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** Marks the given entries as read, or all of them. */
export function useMarkNotificationsRead(): UseMutationResult<unknown, Error, string[] | undefined> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids?: string[]) => call("POST /api/notifications/read", { body: ids ? { ids } : {} }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["notifications"] }),
        client.invalidateQueries({ queryKey: ["analytics", "resume"] }),
      ]),
    onError: (error) => toast.error(error.message || "We couldn’t mark the notifications as read."),
  });
}
