import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError } from "./call.ts";
import { meKey } from "./me.ts";

// Notify in a microtask instead of a timer, so that the second of two quick clicks finds the button busy.
notifyManager.setScheduler(queueMicrotask);

/** Creates one client per visit to the signed-in area, so that no account's data outlives its session. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: handleSessionEnd }),
    mutationCache: new MutationCache({ onError: handleSessionEnd }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A rejected call would be rejected again; only a lost connection or a failing server is worth another try.
        retry: (count, error) =>
          count < 2 && error instanceof CallError && (error.status === 0 || error.status >= 500),
      },
    },
  });

  /** Marks the user as signed out as soon as any call reports that the session has ended. */
  function handleSessionEnd(error: Error) {
    if (error instanceof CallError && error.code === "UNAUTHENTICATED") client.setQueryData(meKey, null);
  }
  return client;
}
