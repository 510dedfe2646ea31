import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#web/api/call.ts";
import { IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { chartPages, type Row } from "./chart-pages.ts";
import { JobChart } from "./job-chart.tsx";
import { series } from "./series.ts";

/** The chart with its legend, its pages, and the same numbers as a table for assistive technology. */
export function Statistics() {
  const [requestedPage, setRequestedPage] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: ["analytics", "statistics"],
    queryFn: ({ signal }) => call("GET /api/analytics/job_statistics", undefined, { signal }),
  });
  const pages = chartPages(data ?? []);
  const shownPage = Math.min(requestedPage, Math.max(pages.length - 1, 0));
  const rows = pages[shownPage] ?? [];
  return (
    <Card title="Estatísticas por Job" lang="pt" aside={<Legend />}>
      {error && !data && (
        <Failed title="We couldn’t load the statistics" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!data && !error && <Skeleton className="m-4 h-64" />}
      {data?.length === 0 && <EmptyChart />}
      {rows.length > 0 && (
        <div className="px-4 pt-4 pb-2">
          <JobChart rows={rows} />
          <NumbersTable rows={rows} />
        </div>
      )}
      {pages.length > 1 && (
        <div className="flex items-center justify-end gap-1 border-t border-line px-2 py-1.5">
          <span aria-live="polite" className="figures me-2 text-sm text-muted">
            {rows[0]?.rank}-{rows.at(-1)?.rank} of {data?.length}
          </span>
          <IconButton
            icon="chevronLeft"
            label="Previous jobs"
            disabled={shownPage === 0}
            onClick={() => setRequestedPage(shownPage - 1)}
          />
          <IconButton
            icon="chevronRight"
            label="Next jobs"
            disabled={shownPage === pages.length - 1}
            onClick={() => setRequestedPage(shownPage + 1)}
          />
        </div>
      )}
    </Card>
  );
}

function EmptyChart() {
  return (
    <div className="relative m-4 grid h-64 place-items-center border-b border-line-strong">
      <div aria-hidden="true" className="absolute inset-0 grid grid-rows-4 divide-y divide-line">
        {[4, 3, 2, 1].map((line) => (
          <span key={line} />
        ))}
      </div>
      <p className="relative bg-surface px-3 text-sm text-muted">Each job gets a bar here.</p>
    </div>
  );
}

function Legend() {
  return (
    <ul className="flex gap-4 text-sm text-muted">
      {series.map(({ key, label, color }) => (
        <li key={key} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-sm" style={{ background: color }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

function NumbersTable({ rows }: { rows: Row[] }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Logs, executions and errors per job</caption>
        <thead>
          <tr>
            <th scope="col">Job</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.rank}>
              <th scope="row">{row.job_name}</th>
              {series.map(({ key }) => (
                <td key={key}>{row[key]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
