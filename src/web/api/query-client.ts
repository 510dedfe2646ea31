import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./call.ts";
import { meKey } from "./me.ts";

// At once, not in a timer: the second of two quick clicks finds the button busy.
notifyManager.setScheduler(queueMicrotask);

/** One per visit of the signed-in part, so that nothing of one account outlives its session. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A refusal stays a refusal; only a lost connection or a failing server is worth another try.
        retry: (count, error) =>
          count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      },
    },
  });

  /** Whatever call learns that the session is over, the shell sees it as "nobody is signed in". */
  function noticeEnd(error: Error) {
    if (error instanceof ApiError && error.code === "UNAUTHENTICATED") client.setQueryData(meKey, null);
  }
  return client;
}
