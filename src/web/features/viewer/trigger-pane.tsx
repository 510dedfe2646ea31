import { IconButton } from "#web/ui/button.tsx";
import type { Detail, Job } from "./queries.ts";

type TriggerPaneProps = { detail: Detail; job: Job | undefined; onClose: () => void };

/** The HTTP requests that this execution set off. */
export function TriggerPane({ detail, job, onClose }: TriggerPaneProps) {
  return (
    <section aria-label="Trigger HTTP" className="max-h-64 overflow-y-auto border-t border-line bg-surface">
      <div className="flex items-center gap-2 px-4 py-1">
        <h3 className="flex-1 text-sm">Trigger HTTP</h3>
        <IconButton icon="close" label="Hide Trigger HTTP" onClick={onClose} />
      </div>
      {detail.triggerRuns.length === 0 && (
        <p className="px-4 pb-3 text-sm text-muted">
          {job?.trigger
            ? "No request was made: a trigger runs when a change is found and its strings match."
            : "This job has no trigger. Settings has a place for one."}
        </p>
      )}
    </section>
  );
}
