import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Time } from "#web/ui/time/time.tsx";
import type { Detail, Job } from "../queries.ts";

type TriggerPaneProps = { detail: Detail; job: Job | undefined; onClose: () => void };
type Run = Detail["triggerRuns"][number];

/** The HTTP requests that this execution triggered. */
export function TriggerPane({ detail, job, onClose }: TriggerPaneProps) {
  const client = useQueryClient();
  const { jobId, id, triggerRuns: runs } = detail;
  const [chosen, setChosen] = useState<string>();
  const replay = useMutation({
    mutationFn: () =>
      call("POST /api/jobs/:jobId/executions/:executionId/trigger", { params: { jobId, executionId: id } }),
    onSuccess: (run) => {
      setChosen(run.id);
      return client.invalidateQueries({ queryKey: ["execution", jobId, id] });
    },
    onError: (error) => toast.error(error.message || "We couldn’t reach the server."),
  });
  const run = runs.find((one) => one.id === chosen) ?? runs[0];
  return (
    <section aria-label="Trigger HTTP" className="max-h-80 overflow-y-auto border-t border-line bg-surface">
      <div className="flex items-center gap-2 px-4 py-1">
        <h3 className="flex-1 text-sm">Trigger HTTP</h3>
        {job?.trigger && runs.length > 0 && (
          <Button size="sm" busy={replay.isPending} onClick={() => replay.mutate()}>
            Run again
          </Button>
        )}
        <IconButton icon="close" label="Hide Trigger HTTP" onClick={onClose} />
      </div>
      {runs.length === 0 && (
        <p className="px-4 pb-3 text-sm text-muted">
          {job?.trigger
            ? "No request was sent. The trigger runs when a change is found and its strings match."
            : "This job has no trigger. You can add one in Settings."}
        </p>
      )}
      {run && (
        <div className="grid gap-4 px-4 pb-4 md:grid-cols-[14rem_minmax(0,1fr)]">
          <ul className="grid content-start gap-1">
            {runs.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  aria-pressed={one === run}
                  onClick={() => setChosen(one.id)}
                  className="grid w-full rounded-control px-2 py-1.5 text-start text-sm hover:bg-hover aria-pressed:bg-hover"
                >
                  <span className={one.state === "failed" ? "text-removed" : undefined}>
                    {outcomeOf(one)}
                  </span>
                  <span className="text-xs text-muted">
                    <Time at={one.createdAt} /> {one.byHand ? "by hand" : ""}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <RunView run={run} />
        </div>
      )}
    </section>
  );
}

function outcomeOf({ state, response, attempts }: Run): string {
  const times = attempts > 1 ? `, ${attempts} attempts` : "";
  if (state === "waiting") return attempts === 0 ? "Waiting to be sent" : `Will be retried${times}`;
  const what = response ? `Answered ${response.status}` : "No answer";
  return `${what}${times}${state === "failed" ? ", given up" : ""}`;
}

function RunView({ run }: { run: Run }) {
  const { request, response, durationMs, error } = run;
  return (
    <div className="grid min-w-0 content-start gap-3">
      {error && <p className="text-sm text-removed">{error}</p>}
      {request && (
        <Part
          title="Request"
          first={`${request.method} ${request.url}`}
          headers={request.headers}
          body={request.body}
        />
      )}
      {response && (
        <Part
          title="Answer"
          first={`${response.status}${durationMs === null ? "" : ` in ${durationMs} ms`}`}
          headers={response.headers}
          body={response.truncated ? `${response.body}\n… cut at 64 KiB` : response.body}
        />
      )}
      <p className="text-xs text-muted">
        Event <span className="font-mono">{run.eventId}</span>
      </p>
    </div>
  );
}

type PartProps = { title: string; first: string; headers: { name: string; value: string }[]; body: string };

function Part({ title, first, headers, body }: PartProps) {
  return (
    <div className="grid min-w-0 gap-1">
      <h4 className="text-xs font-medium text-muted">{title}</h4>
      <pre
        // Long requests scroll, so the keyboard has to reach them.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-control bg-sunken p-2 font-mono text-xs break-all whitespace-pre-wrap"
      >
        {[first, ...headers.map(({ name, value }) => `${name}: ${value}`), ...(body ? ["", body] : [])].join(
          "\n",
        )}
      </pre>
    </div>
  );
}
