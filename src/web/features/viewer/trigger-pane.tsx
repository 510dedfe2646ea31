import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Time } from "#web/ui/time.tsx";
import type { Detail, Job } from "./queries.ts";

type Run = Detail["triggerRuns"][number];
type TriggerPaneProps = { detail: Detail; job: Job | undefined; onClose: () => void };

/** The HTTP requests that this execution set off: what was sent, what came back. */
export function TriggerPane({ detail, job, onClose }: TriggerPaneProps) {
  const client = useQueryClient();
  const { jobId, id } = detail;
  const again = useMutation({
    mutationFn: () =>
      call("POST /api/jobs/:jobId/executions/:executionId/trigger", { params: { jobId, executionId: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["execution", jobId, id] }),
    onError: (error) => toast.error(error.message || "The trigger could not be run."),
  });
  return (
    <section
      aria-label="Trigger HTTP"
      className="max-h-[45%] shrink-0 overflow-y-auto border-t border-line-strong bg-surface"
    >
      <div className="sticky top-0 flex items-center gap-2 bg-surface px-4 py-1">
        <h3 className="flex-1 text-sm">Trigger HTTP</h3>
        {job?.trigger && !detail.error && (
          <Button size="sm" icon="refresh" busy={again.isPending} onClick={() => again.mutate()}>
            Run again
          </Button>
        )}
        <IconButton icon="close" label="Hide Trigger HTTP" onClick={onClose} />
      </div>
      {detail.triggerRuns.length === 0 && (
        <p className="px-4 pb-3 text-sm text-muted">
          {job?.trigger
            ? "Nothing was sent: a trigger runs when a change is found and one of its strings, if it has any, is there."
            : "This job has no trigger. Its Settings have a place for one."}
        </p>
      )}
      <ul className="grid">
        {detail.triggerRuns.map((run) => (
          <li key={run.id} className="border-t border-line">
            <RunView run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const states: Record<Run["state"], { word: string; look: string }> = {
  sent: { word: "Sent", look: "text-added" },
  waiting: { word: "Waiting", look: "text-changed" },
  failed: { word: "Given up", look: "text-removed" },
};

function RunView({ run }: { run: Run }) {
  const { word, look } = states[run.state];
  return (
    <details open className="px-4 py-2 text-sm">
      <summary className="rounded-sm">
        <span className={cx("font-medium", look)}>{word}</span>
        <span className="figures text-muted">
          {" "}
          · {run.attempts} {run.attempts === 1 ? "attempt" : "attempts"}
          {run.durationMs !== null && ` · ${run.durationMs} ms`}
          {run.byHand && " · by hand"} · <Time at={run.createdAt} />
        </span>
      </summary>
      {run.error && <p className="mt-1 text-removed">{run.error}</p>}
      <div className="mt-2 grid gap-3 md:grid-cols-2">
        {run.request && (
          <Part
            title="Request"
            head={`${run.request.method} ${run.request.url}`}
            headers={run.request.headers}
            body={run.request.body}
          />
        )}
        {run.response && (
          <Part
            title={run.response.truncated ? "Answer, its first 64 KiB" : "Answer"}
            head={`HTTP ${run.response.status}`}
            headers={run.response.headers}
            body={run.response.body}
          />
        )}
      </div>
    </details>
  );
}

type PartProps = { title: string; head: string; headers: { name: string; value: string }[]; body: string };

function Part({ title, head, headers, body }: PartProps) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-muted">{title}</p>
      <pre className="max-h-48 overflow-auto rounded-control bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">
        {[head, ...headers.map(({ name, value }) => `${name}: ${value}`), "", body].join("\n").trimEnd()}
      </pre>
    </div>
  );
}
