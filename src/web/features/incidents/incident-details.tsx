import { useState } from "react";
import { Link } from "react-router";
import type { Incident, IncidentItem } from "#contract/incident.ts";
import { blockKinds } from "#contract/page-block.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Time } from "#web/ui/time/time.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import { useIncidentAction } from "./use-incident-action.ts";

/** What an incident's pages have in common, and its changes, which can be moved to an incident of their own. */
export function IncidentDetails({ incident }: { incident: Incident }) {
  const { id, common, moreCommon, changes, moreChanges } = incident;
  const [selected, setSelected] = useState<string[]>([]);
  const chosen = selected.filter((one) => changes.some(({ executionId }) => executionId === one));
  const split = useIncidentAction(
    () =>
      call("POST /api/incidents/:incidentId/split", {
        params: { incidentId: id },
        body: { executionIds: chosen },
      }),
    () => setSelected([]),
  );
  const isAll = chosen.length === changes.length + moreChanges;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-control bg-sunken p-3 text-sm">
        <h2 className="text-xs text-muted">What the pages have in common</h2>
        {common.length === 0 && <p className="text-muted">Nothing that the search can find.</p>}
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
          {common.map((item) => (
            <CommonItem key={`${item.sign} ${item.kind} ${item.text}`} item={item} />
          ))}
        </ul>
        {moreCommon > 0 && <p className="text-muted">And {moreCommon} more.</p>}
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
        {changes.map((change) => (
          <li key={change.executionId} className="flex items-start gap-x-3">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent-text"
              aria-label={`Select ${change.job} to move it`}
              checked={chosen.includes(change.executionId)}
              onChange={({ target }) =>
                setSelected(
                  target.checked
                    ? [...chosen, change.executionId]
                    : chosen.filter((one) => one !== change.executionId),
                )
              }
            />
            <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <Link
                to={jobUrl(change)}
                title={change.url}
                className="max-w-full min-w-0 truncate text-accent-text underline underline-offset-2"
              >
                {change.job}
              </Link>
              <span className="text-muted">
                <Time at={change.at} />
                {change.own > 0 && `, and ${countOf(change.own, "thing")} on this page only`}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {moreChanges > 0 && <p className="text-sm text-muted">And {countOf(moreChanges, "more change")}.</p>}
      {chosen.length > 0 && (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <Button size="sm" busy={split.isPending} disabled={isAll} onClick={() => split.mutate(undefined)}>
            Move {countOf(chosen.length, "change")} to an incident of {chosen.length === 1 ? "its" : "their"}{" "}
            own
          </Button>
          {isAll && <span className="text-muted">Leave at least one change in this incident.</span>}
        </div>
      )}
    </>
  );
}

function CommonItem({ item: { sign, kind, text } }: { item: IncidentItem }) {
  return (
    <li dir="auto" className={cx("wrap-anywhere", sign === "+" ? "text-added" : "text-removed")}>
      {sign === "+" ? "Added" : "Removed"} · {blockKinds[kind]}: {text}
    </li>
  );
}
