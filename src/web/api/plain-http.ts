import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toPlainHttp } from "#contract/page-url.ts";
import { call, type ReplyOf } from "#web/api/call.ts";

type Job = Pick<ReplyOf<"GET /api/jobs/:jobId">, "id" | "url" | "executions" | "executionsTotal">;

/** The page over plain HTTP, if no check of this job has ever got an answer over HTTPS; otherwise null. */
export function plainHttpFor({ url, executions, executionsTotal }: Job): string | null {
  const neverAnswered =
    executions.length > 0 &&
    executions.length === executionsTotal &&
    executions.every(({ error, status_code }) => error !== null && status_code === null);
  return neverAnswered ? toPlainHttp(url) : null;
}

/** Props of the question whether to watch a page over HTTP, which was taken as https because it had no scheme. */
export function usePlainHttp(job: Job) {
  const client = useQueryClient();
  const url = plainHttpFor(job);
  const save = useMutation({
    mutationFn: (plain: string) =>
      call("PATCH /api/jobs/:jobId", { params: { jobId: job.id }, body: { url: plain } }),
    onSuccess: () => client.invalidateQueries(),
  });
  return {
    isOffered: url !== null,
    isBusy: save.isPending,
    problem: save.error ? save.error.message || "We couldn’t reach the server." : undefined,
    onAccept: () => url && save.mutate(url),
  };
}
