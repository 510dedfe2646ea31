import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { inputOf, type JobFields } from "../dialogs/fields.ts";

type Preview = ReplyOf<"GET /api/previews/:previewId">;

const key = ["preview", "asked"];

/** One look at the page of a job that is not made yet; it stays while its address is the one in the form. */
export function usePreview(fields: JobFields) {
  const client = useQueryClient();
  const url = fields.url.trim();
  const { data: asked } = useQuery<{ id: string; url: string } | null>({
    queryKey: key,
    initialData: null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const ask = useMutation({
    mutationFn: () => {
      const { headers, waitFor } = inputOf(fields);
      return call("POST /api/previews", { body: { url, headers, waitFor } });
    },
    onSuccess: ({ id }) => client.setQueryData(key, { id, url }),
  });
  const id = asked?.url === url ? asked.id : undefined;
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
