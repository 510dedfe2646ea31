import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import type { BulkAction } from "#contract/bulk-action.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import { showUndoToast } from "../delete-and-undo/undo-toast.tsx";
import { keys } from "../queries.ts";

export type PastAction = ReplyOf<"GET /api/bulk-actions">["actions"][number];

/** How long the toast offers to undo an action; the list of past actions offers it longer. */
const graceMs = 10_000;
const unreachable = "We couldn’t reach the server. Nothing was changed.";

/** The actions that can still be undone, from this tab or any other. */
export function usePastActions() {
  return useQuery({
    queryKey: keys.pastActions,
    queryFn: ({ signal }) => call("GET /api/bulk-actions", undefined, { signal }),
    refetchInterval: 60_000,
  });
}

/** Applies an action to several jobs, and offers to undo it. */
export function useBulk() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkAction) => call("POST /api/bulk-actions", { body }),
    onSuccess: async ({ done, message, undo }) => {
      await refreshLists(client);
      if (done.length === 0) return void toast.error(message);
      if (!undo) return void toast.success(message);
      const id = showUndoToast({
        message,
        graceMs,
        onUndo: () => {
          toast.dismiss(id);
          void undoAction(client, undo.id);
        },
        onEnd: () => toast.dismiss(id),
      });
    },
    onError: (error) => void toast.error(error.message || unreachable),
  });
}

/** Undoes a past action and says which jobs stayed as they were. */
export async function undoAction(client: QueryClient, actionId: string): Promise<void> {
  try {
    const { message, problems } = await call("POST /api/bulk-actions/:actionId/undo", {
      params: { actionId },
    });
    if (problems.length > 0) toast.error(message);
    else toast.success(message);
  } catch (error) {
    toast.error((error as Error).message || unreachable);
  }
  await refreshLists(client);
}

async function refreshLists(client: QueryClient): Promise<void> {
  const lists = [keys.groups, ["group"], ["job"], keys.pastActions];
  await Promise.all(lists.map((queryKey) => client.invalidateQueries({ queryKey })));
}
