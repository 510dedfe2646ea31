import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { inputOf, type JobFields } from "../dialogs/fields.ts";

type Preview = ReplyOf<"GET /api/previews/:previewId">;

const key = ["preview", "asked"];

/** One look at the page of a job that is not made yet; it stays while the form asks for the page in this way. */
export function usePreview(fields: JobFields) {
  const client = useQueryClient();
  const { url, headers, waitFor, request, schedule, groupId } = inputOf(fields);
  const body = { url, headers, waitFor, request, schedule, ...(groupId && { groupId }) };
  const how = JSON.stringify(body);
  const { data: asked } = useQuery<{ id: string; how: string } | null>({
    queryKey: key,
    initialData: null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const ask = useMutation({
    mutationFn: () => call("POST /api/previews", { body }),
    onSuccess: ({ id }) => client.setQueryData(key, { id, how }),
  });
  const id = asked?.how === how ? asked.id : undefined;
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
    ready: preview?.state === "ready" ? preview : undefined,
  };
}
