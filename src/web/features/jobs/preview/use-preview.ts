import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { type JobFields, toJobInput } from "../job-form/fields.ts";

type Preview = ReplyOf<"GET /api/previews/:previewId">;

const key = ["preview", "asked"];

/** A single capture for a job that does not exist yet; it stays valid while the form requests the page the same way. */
export function usePreview(fields: JobFields, jobId?: string) {
  const client = useQueryClient();
  const { url, headers, waitFor, pageSteps, stepSecrets, browser, request, schedule, groupId } =
    toJobInput(fields);
  const own = { url, headers, waitFor, pageSteps, stepSecrets, browser, request, schedule };
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
  const { data: preview, error } = useQuery<Preview>({
    queryKey: ["preview", id],
    enabled: id !== undefined,
    retry: false,
    refetchInterval: ({ state }) =>
      !state.error && state.data?.state !== "ready" && state.data?.state !== "failed" ? 700 : false,
    queryFn: ({ signal }) =>
      call("GET /api/previews/:previewId", { params: { previewId: id ?? "" } }, { signal }),
  });
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
