import type { Incident } from "#contract/incident.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { useIncidentAction } from "./use-incident-action.ts";

/** "This is noise" for all pages of an incident, how far that is, and its undo. */
export function IncidentNoise({ incident: { id, noise, changes, moreChanges } }: { incident: Incident }) {
  const params = { incidentId: id };
  const mark = useIncidentAction(() => call("POST /api/incidents/:incidentId/noise", { params }));
  const undo = useIncidentAction(() => call("DELETE /api/incidents/:incidentId/noise", { params }));
  const all = changes.length + moreChanges;
  const { wanted, pending, failed } = noise;
  const isAll = wanted === all;
  return (
    <>
      {!isAll && (
        <Button size="sm" look="ghost" busy={mark.isPending} onClick={() => mark.mutate(undefined)}>
          This is noise
        </Button>
      )}
      {(wanted > 0 || pending > 0) && (
        <output className="text-sm text-muted">{describeNoise({ wanted, pending, failed }, all)}</output>
      )}
      {wanted > 0 && (
        <Button size="sm" look="ghost" busy={undo.isPending} onClick={() => undo.mutate(undefined)}>
          Undo
        </Button>
      )}
    </>
  );
}

function describeNoise({ wanted, pending, failed }: Incident["noise"], all: number): string {
  if (wanted === 0) return `Undoing: ${countOf(pending, "change")} left.`;
  if (pending > 0) return `Marking as noise: ${countOf(pending, "change")} left.`;
  const marked = wanted - failed;
  const which = marked === all ? "All changes are" : marked === 1 ? "1 change is" : `${marked} changes are`;
  const rest = failed === 0 ? "" : ` ${countOf(failed, "change")} couldn’t be marked.`;
  return `${which} marked as noise.${rest}`;
}
