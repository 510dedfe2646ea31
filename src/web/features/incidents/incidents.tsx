import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { call } from "#web/api/call.ts";
import { countOf } from "#web/ui/count-of.ts";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { IncidentRow } from "./incident-row.tsx";
import { MergeBar } from "./merge-bar.tsx";

const periods = [1, 7, 30];
const pollMs = 2_000;

/** Changes of several pages that have one cause, such as a deployment. */
export function Incidents() {
  const [days, setDays] = useState(7);
  const [selected, setSelected] = useState<string[]>([]);
  const [search] = useSearchParams();
  const opened = search.get("incident");
  const { data, error, refetch } = useQuery({
    queryKey: ["incidents", days],
    queryFn: ({ signal }) => call("GET /api/incidents", { query: { days } }, { signal }),
    placeholderData: (previous) => previous,
    // While changes are marked as noise, the screen says how far that is.
    refetchInterval: ({ state }) =>
      state.data?.incidents.some(({ noise }) => noise.pending > 0) ? pollMs : false,
  });
  const chosen = selected.filter((id) => data?.incidents.some((incident) => incident.id === id));
  return (
    <div className="mx-auto grid max-w-240 grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl">Incidents</h1>
        <Select
          label="Period"
          hideLabel
          className="w-40"
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          options={periods.map((each) => ({ value: String(each), label: `Last ${countOf(each, "day")}` }))}
        />
      </div>
      <section aria-label="Incidents" className="overflow-clip rounded-card border border-line bg-surface">
        {error && !data && (
          <Failed title="We couldn’t load the incidents" action="Try again" onAction={() => void refetch()}>
            {error.message || "We couldn’t reach the server."}
          </Failed>
        )}
        {!data && !error && <Skeleton className="m-4 h-40" />}
        {data?.incidents.length === 0 && (
          <Empty icon="alert" title="No incidents">
            When several pages change in the same way, for example after a deployment, they appear here as
            one.
          </Empty>
        )}
        {data && opened && !data.incidents.some(({ id }) => id === opened) && (
          <p className="border-b border-line px-4 py-3 text-sm text-muted">
            The incident that you opened isn’t among those of the last {countOf(days, "day")}. Its changes may
            be older, deleted, or part of another incident.
          </p>
        )}
        {chosen.length > 1 && <MergeBar ids={chosen} onDone={() => setSelected([])} />}
        {data && data.incidents.length > 0 && (
          <ul className="divide-y divide-line">
            {data.incidents.map((incident) => (
              <IncidentRow
                key={incident.id}
                incident={incident}
                isOpened={incident.id === opened}
                isSelected={chosen.includes(incident.id)}
                onSelect={(isSelected) =>
                  setSelected(
                    isSelected ? [...chosen, incident.id] : chosen.filter((id) => id !== incident.id),
                  )
                }
              />
            ))}
          </ul>
        )}
        {data && (
          <p className="border-t border-line px-4 py-3 text-sm text-muted">
            {countOf(data.otherChanges, "other change")} in this period{" "}
            {data.otherChanges === 1 ? "belongs" : "belong"} to no incident.
            {data.isCapped && " Only the newest 500 changes are compared."}
          </p>
        )}
      </section>
    </div>
  );
}
