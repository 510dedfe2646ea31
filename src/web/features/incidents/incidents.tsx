import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { Incident, IncidentItem } from "#contract/incident.ts";
import { blockKinds } from "#contract/page-block.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Select } from "#web/ui/select.tsx";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";

const periods = [1, 7, 30];

/** Changes of several pages that have one cause, such as a deployment. */
export function Incidents() {
  const [days, setDays] = useState(7);
  const { data, error, refetch } = useQuery({
    queryKey: ["incidents", days],
    queryFn: ({ signal }) => call("GET /api/incidents", { query: { days } }, { signal }),
    placeholderData: (previous) => previous,
  });
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
        {data && data.incidents.length > 0 && (
          <ul className="divide-y divide-line">
            {data.incidents.map((incident) => (
              <IncidentRow key={incident.id} incident={incident} />
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

function IncidentRow({ incident }: { incident: Incident }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li
      className={cx("grid grid-cols-[minmax(0,1fr)] gap-2 py-3 ps-3.5 pe-4", severityEdge(incident.severity))}
    >
      <p dir="auto" className="font-medium wrap-anywhere">
        {incident.summary}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
        <SeverityWord severity={incident.severity} />
        <span>
          {countOf(incident.pages, "page")}, first <Time at={incident.firstAt} />, last{" "}
          <Time at={incident.lastAt} />
        </span>
      </p>
      <div>
        <Button size="sm" look="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide the pages" : "Show the pages"}
        </Button>
      </div>
      {isOpen && <Details incident={incident} />}
    </li>
  );
}

function Details({ incident: { common, moreCommon, changes, moreChanges } }: { incident: Incident }) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-control bg-sunken p-3 text-sm">
        <h2 className="text-xs text-muted">What the pages have in common</h2>
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
          {common.map((item) => (
            <CommonItem key={`${item.sign} ${item.kind} ${item.text}`} item={item} />
          ))}
        </ul>
        {moreCommon > 0 && <p className="text-muted">And {moreCommon} more.</p>}
      </div>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
        {changes.map((change) => (
          <li key={change.executionId} className="flex flex-wrap items-baseline gap-x-3">
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
          </li>
        ))}
      </ul>
      {moreChanges > 0 && <p className="text-sm text-muted">And {countOf(moreChanges, "more change")}.</p>}
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
