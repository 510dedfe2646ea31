import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { useIncidentAction } from "./use-incident-action.ts";

/** Merges the selected incidents into the first of them. */
export function MergeBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const [incidentId = "", ...incidentIds] = ids;
  const merge = useIncidentAction(
    () => call("POST /api/incidents/:incidentId/merge", { params: { incidentId }, body: { incidentIds } }),
    onDone,
  );
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line bg-sunken px-4 py-2 text-sm">
      <span>{ids.length} incidents selected</span>
      <Button size="sm" look="primary" busy={merge.isPending} onClick={() => merge.mutate(undefined)}>
        Merge into one
      </Button>
      <Button size="sm" look="ghost" onClick={onDone}>
        Clear
      </Button>
    </div>
  );
}
