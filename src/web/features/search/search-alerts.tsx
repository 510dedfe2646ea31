import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { blockKinds } from "#contract/page-block.ts";
import type { SearchAlert } from "#contract/search-alert.ts";
import { call } from "#web/api/call.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { SeverityWord } from "#web/ui/severity.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { type AlertDraft, draftOf, emptyDraft, SearchAlertDialog } from "./search-alert-dialog.tsx";

/** What the user is alerted about when it first appears on any page. */
export function SearchAlerts() {
  const [draft, setDraft] = useState<AlertDraft>();
  const { data, error, refetch } = useQuery({
    queryKey: ["search", "alerts"],
    queryFn: ({ signal }) => call("GET /api/search-alerts", undefined, { signal }),
  });
  return (
    <Card
      title="Search alerts"
      note="You get an alert when something first appears on any page of the groups you choose."
      aside={
        <Button size="sm" icon="plus" onClick={() => setDraft(emptyDraft)}>
          New search alert
        </Button>
      }
    >
      {error && (
        <Failed title="We couldn’t load the search alerts" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!data && !error && <Skeleton className="m-4 h-12" />}
      {data?.alerts.length === 0 && (
        <p className="p-4 text-sm text-muted">
          No search alerts yet. Watch for leaked keys, a competitor’s name or the id of a vulnerability.
        </p>
      )}
      {data && data.alerts.length > 0 && (
        <ul className="divide-y divide-line">
          {data.alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} onEdit={() => setDraft(draftOf(alert))} />
          ))}
        </ul>
      )}
      {draft && <SearchAlertDialog draft={draft} onClose={() => setDraft(undefined)} />}
    </Card>
  );
}

function AlertRow({ alert, onEdit }: { alert: SearchAlert; onEdit: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call("DELETE /api/search-alerts/:alertId", { params: { alertId: alert.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t reach the server."),
    onSettled: () => client.invalidateQueries({ queryKey: ["search", "alerts"] }),
  });
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 font-medium wrap-anywhere">{alert.name}</span>
          <SeverityWord severity={alert.severity} />
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          <code>{alert.q}</code>
          {alert.kind && ` in ${blockKinds[alert.kind].toLowerCase()}`}
          {alert.groupIds && ` on pages of ${countOf(alert.groupIds.length, "group")}`}
        </p>
        <p className="text-sm text-muted">
          {alert.lastAlertAt ? (
            <>
              {countOf(alert.alerts, "alert")}, the last <Time at={alert.lastAlertAt} />
            </>
          ) : (
            "No alert yet"
          )}
        </p>
      </div>
      <IconButton icon="pencil" label={`Edit the search alert ${alert.name}`} onClick={onEdit} />
      <IconButton
        icon="trash"
        label={`Delete the search alert ${alert.name}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  );
}
