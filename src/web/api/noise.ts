import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "./call.ts";

export type Noise = ReplyOf<"GET /api/jobs/:jobId/noise">;

/** What a job learned of its noise, and what its user said. */
export function useNoise(jobId: string) {
  return useQuery({
    queryKey: ["noise", jobId],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId/noise", { params: { jobId } }, { signal }),
  });
}

type Word =
  | { say: "noise"; executionId: string; from: string; id: string }
  | { say: "tell"; place: string }
  | { say: "back"; id?: string; place?: string };

/** What a user may say of a difference: that it is noise, that he wants to hear of it, and neither after all. */
export function useNoiseWord(jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (word: Word) => {
      const params = { jobId };
      if (word.say === "tell")
        return call("POST /api/jobs/:jobId/noise/unlearn", { params, body: { place: word.place } });
      if (word.say === "back") {
        const { say: _say, ...body } = word;
        return call("POST /api/jobs/:jobId/noise/take-back", { params, body });
      }
      const { executionId, from, id } = word;
      return call("POST /api/jobs/:jobId/executions/:executionId/noise", {
        params: { jobId, executionId },
        body: { from, ids: [id] },
      });
    },
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: ["noise", jobId] });
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "It could not be kept."),
  });
}
