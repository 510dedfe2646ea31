import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import type { SavedView } from "#contract/saved-view.ts";
import { call } from "#web/api/call.ts";
import { forgetBrowserViews, readBrowserViews } from "./browser-views.ts";

const key = ["saved-views"];

const listViews = async (signal: AbortSignal) =>
  (await call("GET /api/me/views", undefined, { signal })).views;

/** Moves the views that this browser holds into the account. A view of the account wins over one of the same name. */
async function moveBrowserViews(accountId: string, saved: SavedView[]): Promise<boolean> {
  const held = readBrowserViews(accountId);
  if (held.length === 0) return false;
  const fresh = held.filter(({ name }) => !saved.some((view) => view.name === name));
  for (const body of fresh) await call("PUT /api/me/views", { body });
  forgetBrowserViews(accountId);
  return fresh.length > 0;
}

/** The account's saved views, by name. */
export function useSavedViews(accountId: string | undefined) {
  return useQuery({
    queryKey: key,
    enabled: accountId !== undefined,
    queryFn: async ({ signal }) => {
      const saved = await listViews(signal);
      // What can't be moved, as in the read-only demo, stays in the browser for the next visit.
      const hasMoved = await moveBrowserViews(accountId ?? "", saved).catch(() => true);
      return hasMoved ? listViews(signal) : saved;
    },
  });
}

/** Saves or deletes a view, and loads the list again. */
export function useViewAction<T>(act: (input: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onError: (error) => toast.error(error.message || "We couldn’t reach the server. Nothing was changed."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
}
