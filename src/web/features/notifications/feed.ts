import {
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "#web/api/call.ts";

type Feed = ReplyOf<"GET /api/notifications">;
export type Entry = Feed["notifications"][number];

const newest = 8;

/** The eight newest entries and how many are unread. */
export function useNewest() {
  return useQuery({
    queryKey: ["notifications", "newest"],
    queryFn: ({ signal }) => call("GET /api/notifications", { query: { limit: newest } }, { signal }),
  });
}

/** All entries, a page at a time. */
export function useAll() {
  return useInfiniteQuery({
    queryKey: ["notifications", "all"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call("GET /api/notifications", { query: { limit: 50, cursor: pageParam } }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** Marks the given entries as read, or all of them. */
export function useMarkRead(): UseMutationResult<unknown, Error, string[] | undefined> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids?: string[]) => call("POST /api/notifications/read", { body: ids ? { ids } : {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["notifications"] }),
    onError: (error) => toast.error(error.message || "The notifications could not be marked as read."),
  });
}

/** What the badge says; the server counts no further than a hundred. */
export function badgeText(unread: number): string {
  return unread > 99 ? "99+" : String(unread);
}
