import { useQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "./call.ts";

type Preview = ReplyOf<"GET /api/previews/:previewId">;

/** The result of a preview, asked for until it is there. */
export function useTakenPreview(id: string | undefined) {
  return useQuery<Preview>({
    queryKey: ["preview", id],
    enabled: id !== undefined,
    retry: false,
    refetchInterval: ({ state }) =>
      !state.error && state.data?.state !== "ready" && state.data?.state !== "failed" ? 700 : false,
    queryFn: ({ signal }) =>
      call("GET /api/previews/:previewId", { params: { previewId: id ?? "" } }, { signal }),
  });
}
