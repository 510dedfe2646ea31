import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { useTakenPreview } from "#web/api/use-taken-preview.ts";
import { type JobFields, toJobInput } from "../job-form/fields.ts";

const key = ["preview", "asked"];

/** A single capture for a job that does not exist yet; it stays valid while the form requests the page the same way. */
export function usePreview(fields: JobFields, jobId?: string) {
  const client = useQueryClient();
  const { url, headers, waitFor, identity, pageSteps, stepSecrets, browser, request, schedule, groupId } =
    toJobInput(fields);
  const own = { url, headers, waitFor, identity, pageSteps, stepSecrets, browser, request, schedule };
  const body = { ...own, ...(groupId && { groupId }), ...(jobId && { jobId }) };
  const how = JSON.stringify(body);
  const { data: lastPreview } = useQuery<{ id: string; how: string } | null>({
    queryKey: key,
    initialData: null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const ask = useMutation({
    mutationFn: () => call("POST /api/previews", { body }),
    onSuccess: ({ id }) => client.setQueryData(key, { id, how }),
  });
  const id = lastPreview?.how === how ? lastPreview.id : undefined;
  const { data: preview, error } = useTakenPreview(id);
  return {
    ask: () => ask.mutate(),
    isBusy: ask.isPending || (id !== undefined && !error && (!preview || preview.state === "queued")),
    problem: ask.error ?? (preview?.state === "failed" ? new Error(preview.error ?? "") : error),
    /** The page itself could not be reached, so another scheme may help. */
    hasNoAnswer: preview?.state === "failed" && preview.status_code === null,
    ready: preview?.state === "ready" ? preview : undefined,
    /** The preview that was taken, also if it failed. */
    taken: preview?.state === "queued" ? undefined : preview,
  };
}
