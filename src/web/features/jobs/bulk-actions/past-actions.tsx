import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Time } from "#web/ui/time/time.tsx";
import { type PastAction, undoAction, usePastActions } from "./use-bulk.ts";

const shownAtMost = 3;

const doneWords: Record<PastAction["action"], string> = {
  run: "checked",
  pause: "paused",
  activate: "activated",
  move: "moved",
  frequency: "with a new frequency",
  ignore: "with one more ignore rule",
  delete: "deleted",
};

/** The newest actions on jobs that can still be undone, from this tab or any other. */
export function PastActions() {
  const { data } = usePastActions();
  const shown = data?.actions.slice(0, shownAtMost) ?? [];
  if (shown.length === 0) return null;
  return (
    <section aria-label="Can be undone" className="border-t border-line px-3 py-2">
      <ul className="grid gap-1">
        {shown.map((action) => (
          <Entry key={action.id} action={action} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ action: { id, action, jobs, until } }: { action: PastAction }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [first] = jobs;
  const what = `${jobs.length === 1 && first ? `“${first.name}”` : countOf(jobs.length, "job")} ${doneWords[action]}`;
  return (
    <li className="flex items-center gap-2 text-sm" title={jobs.map(({ name }) => name).join(", ")}>
      <span className="min-w-0 flex-1 text-muted">
        <span className="block truncate">{what}</span>
        <span className="block text-xs">
          {action === "delete" ? "permanently deleted " : "can be undone until "}
          <Time at={until} />
        </span>
      </span>
      <Button
        size="sm"
        busy={isBusy}
        onClick={() => {
          setBusy(true);
          void undoAction(client, id).then(() => setBusy(false));
        }}
      >
        Undo<span className="sr-only"> {what}</span>
      </Button>
    </li>
  );
}
