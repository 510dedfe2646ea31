import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "./call.ts";

export type Noise = ReplyOf<"GET /api/jobs/:jobId/noise">;

/** What a job has learned about its noise, and the user's feedback. */
export function useNoise(jobId: string) {
  return useQuery({
    queryKey: ["noise", jobId],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId/noise", { params: { jobId } }, { signal }),
  });
}

type Feedback =
  | { say: "noise"; executionId: string; from: string; id: string }
  | { say: "tell"; place: string }
  | { say: "back"; id?: string; place?: string };

/** Sends feedback on a difference: it is noise, it should be alerted, or earlier feedback is taken back. */
export function useNoiseFeedback(jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (feedback: Feedback) => {
      const params = { jobId };
      if (feedback.say === "tell")
        return call("POST /api/jobs/:jobId/noise/unlearn", { params, body: { place: feedback.place } });
      if (feedback.say === "back") {
        const { say: _say, ...body } = feedback;
        return call("POST /api/jobs/:jobId/noise/take-back", { params, body });
      }
      const { executionId, from, id } = feedback;
      return call("POST /api/jobs/:jobId/executions/:executionId/noise", {
        params: { jobId, executionId },
        body: { from, ids: [id] },
      });
    },
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: ["noise", jobId] });
      toast.success(message);
    },
    onError: (error) => toast.error(error.message || "We couldn’t save your feedback."),
  });
}
