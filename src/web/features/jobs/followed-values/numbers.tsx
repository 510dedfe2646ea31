import { useQuery } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { type Job, keys } from "../queries.ts";
import { type Series, seriesOf } from "./series-of.ts";
import { ValueChart } from "./value-chart.tsx";

/** The history of a job's followed values: current, minimum, maximum, and a chart with the changes marked. */
export function Numbers({ job }: { job: Job }) {
  const newest = job.executions[0]?.id;
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.values(job.id), newest],
    queryFn: ({ signal }) =>
      call("GET /api/jobs/:jobId/values", { params: { jobId: job.id }, query: { limit: 1000 } }, { signal }),
    placeholderData: (previous) => previous,
  });
  if (error && !data)
    return (
      <Failed title="We couldn’t load the numbers" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."}
      </Failed>
    );
  if (!data)
    return (
      <div className="grid gap-2 p-4">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-40" />
      </div>
    );
  if (data.points.length === 0)
    return (
      <Empty icon="timeline" title="No values yet">
        The next check reads {job.values.map(({ name }) => name).join(", ")} from the page.
      </Empty>
    );
  return (
    <div className="grid">
      {job.values.map(({ name }) => (
        <Value key={name} series={seriesOf(name, data.points)} />
      ))}
    </div>
  );
}

function Value({ series }: { series: Series }) {
  const { name, now, least, most, missing, points } = series;
  const readPoints = points.filter(({ text }) => text !== null);
  return (
    <section aria-label={name} className="grid gap-2 border-b border-line p-4">
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
        <h3 className="min-w-0 truncate font-mono text-base font-semibold">{name}</h3>
        <p className="figures flex flex-wrap gap-x-4 text-sm text-muted">
          <Figure label="now">{now?.text ?? "missing"}</Figure>
          {least && <Figure label="min">{least.text}</Figure>}
          {most && <Figure label="max">{most.text}</Figure>}
          {missing > 0 && (
            <span>
              missing in {missing} of {points.length} checks
            </span>
          )}
        </p>
      </div>
      {least && <ValueChart series={series} />}
      <details className="text-sm">
        <summary className="w-max rounded-sm text-muted hover:text-ink">
          {readPoints.length === 0 ? "Not found yet" : "As a table"}
        </summary>
        <div className="mt-2 max-h-60 overflow-y-auto" tabIndex={-1}>
          <table className="figures w-full max-w-96 text-start">
            <thead className="text-muted">
              <tr>
                <th scope="col" className="py-0.5 text-start font-normal">
                  Check
                </th>
                <th scope="col" className="py-0.5 text-end font-normal">
                  {name}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ id, at, text, isNew }) => (
                <tr key={id} className="border-t border-line">
                  <td className="py-0.5 text-muted">{exactTime(at)}</td>
                  <td className="max-w-40 truncate py-0.5 text-end" title={text ?? undefined}>
                    {isNew && (
                      <span className="me-1.5 font-mono text-changed">
                        ~<span className="sr-only"> changed to</span>
                      </span>
                    )}
                    {text ?? <span className="text-muted">missing</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function Figure({ label, children }: { label: string; children: string | number }) {
  return (
    <span>
      {label} <span className="font-medium text-ink">{children}</span>
    </span>
  );
}
