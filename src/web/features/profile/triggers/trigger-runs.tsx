import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { Link } from "react-router";
import { viewerPath } from "#contract/links.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";

type Run = ReplyOf<"GET /api/triggers/runs">["runs"][number];

const key = ["trigger-runs"];

/** The last hundred runs of HTTP triggers, each with a button to fire it again. Hidden if there are none. */
export function TriggerRuns() {
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/triggers/runs", undefined, { signal }),
  });
  if (list.data?.runs.length === 0) return null;
  return (
    <Card title="HTTP triggers" note="The last hundred runs.">
      {list.isPending && <Skeleton className="m-4 h-24" />}
      {list.isError && (
        <Failed title="We couldn’t load the runs" action="Try again" onAction={() => void list.refetch()}>
          {list.error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {list.data && (
        <ul className="max-h-96 overflow-y-auto" tabIndex={-1}>
          {list.data.runs.map((run) => (
            <Row key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function describe({ state, status, error }: Run): string {
  if (state === "waiting") return error ? `Waiting to try again: ${error}` : "Sending";
  if (state === "failed") return error ?? "Given up";
  return `Answered ${status ?? ""}`;
}

function Row({ run }: { run: Run }) {
  const client = useQueryClient();
  const { jobId, executionId } = run;
  const replay = useMutation({
    mutationFn: () =>
      call("POST /api/jobs/:jobId/executions/:executionId/trigger", { params: { jobId, executionId } }),
    onSuccess: ({ error, response }) =>
      error ? toast.error(error) : toast.success(`The receiver answered ${response?.status ?? ""}.`),
    onError: (error) => toast.error(error.message || "We couldn’t reach the server."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 last:border-0">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <Link to={viewerPath(jobId, executionId)} className="font-medium wrap-anywhere hover:underline">
          {run.job}
        </Link>
        <p className="text-sm text-muted">
          <span className={run.state === "failed" ? "text-removed" : undefined}>{describe(run)}</span> ·{" "}
          {run.byHand ? "by hand" : run.attempts > 1 ? `${run.attempts} attempts` : "1 attempt"} ·{" "}
          <Time at={run.createdAt} />
        </p>
      </div>
      {run.replayable && (
        <Button size="sm" busy={replay.isPending} onClick={() => replay.mutate()}>
          Replay<span className="sr-only"> the trigger of {run.job}</span>
        </Button>
      )}
    </li>
  );
}
