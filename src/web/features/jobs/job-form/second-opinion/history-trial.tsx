import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { OpinionTrialReply } from "#contract/second-opinion.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Time } from "#web/ui/time/time.tsx";

type Tried = OpinionTrialReply["changes"][number];
const atOnce = 5;

/** Asks the model about past alerts: which would have gone to the digest, in which words, at what cost. */
export function HistoryTrial({ jobId, matters }: { jobId: string; matters: string }) {
  const [pages, setPages] = useState<OpinionTrialReply[]>([]);
  const last = pages.at(-1);
  const trial = useMutation({
    mutationFn: (before: string | null) =>
      call("POST /api/jobs/:jobId/second-opinion/trial", {
        params: { jobId },
        body: { count: atOnce, matters, before },
      }),
    onSuccess: (page, before) => setPages((known) => (before ? [...known, page] : [page])),
  });
  const changes = pages.flatMap((page) => page.changes);
  return (
    <section className="grid grid-cols-1 gap-3" aria-label="Test on past alerts">
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" busy={trial.isPending} onClick={() => trial.mutate(null)}>
          Test on the last {atOnce} alerts
        </Button>
        <p className="min-w-60 flex-1 text-sm text-muted">
          Nothing is saved or sent to a channel. It works while the model is off, too.
        </p>
      </div>
      {trial.error && (
        <p role="alert" className="text-sm text-removed">
          {trial.error.message || "We couldn’t reach the server."}
        </p>
      )}
      {last && changes.length === 0 && !trial.isPending && (
        <p className="text-sm text-muted">There are no past alerts with text that could be judged.</p>
      )}
      {changes.length > 0 && (
        <>
          <p role="status" className="text-sm font-medium">
            {countOf(changes.filter(({ wouldLower }) => wouldLower).length, "alert")} of {changes.length}{" "}
            would have gone to the digest. {describeCost(pages)}
          </p>
          <ul className="grid grid-cols-1 gap-3">
            {changes.map((change) => (
              <Row key={change.executionId} change={change} />
            ))}
          </ul>
        </>
      )}
      {last?.next && (
        <Button size="sm" busy={trial.isPending} onClick={() => trial.mutate(last.next)}>
          Test on {atOnce} older alerts
        </Button>
      )}
    </section>
  );
}

function Row({ change: { createdAt, summary, wouldLower, opinion } }: { change: Tried }) {
  return (
    <li className="grid grid-cols-1 gap-0.5 border-s-2 border-line ps-3 text-sm">
      <p className="wrap-anywhere">
        <span className="font-medium">{wouldLower ? "To the digest" : "Alert"}</span>
        <span className="text-muted">
          {" · "}
          <Time at={createdAt} />
          {" · "}
          {summary}
        </span>
      </p>
      {opinion.sentence && (
        <p className="wrap-anywhere">
          <span className="text-muted">
            {opinion.model} says, {opinion.class}:{" "}
          </span>
          “{opinion.sentence}”
        </p>
      )}
      {opinion.why && <p className="text-muted">{opinion.why}</p>}
    </li>
  );
}

function describeCost(pages: OpinionTrialReply[]): string {
  const sum = (part: "calls" | "inputTokens" | "outputTokens" | "cost") =>
    pages.reduce((total, { spent }) => total + (spent[part] ?? 0), 0);
  const hasCost = pages.some(({ spent }) => spent.cost !== null);
  const tokens = countOf(sum("inputTokens") + sum("outputTokens"), "token");
  return `Used ${countOf(sum("calls"), "call")} and ${tokens}${hasCost ? `, cost ${sum("cost").toFixed(4)}` : ""}.`;
}
