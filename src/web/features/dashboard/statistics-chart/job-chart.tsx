import { axisTicks } from "#web/ui/charts/axis-ticks.ts";
import { useNarrow } from "#web/ui/use-narrow.ts";
import type { Row } from "./chart-pages.ts";
import { series } from "./series.ts";

const columns = "grid grid-cols-[112px_minmax(0,1fr)] sm:grid-cols-[168px_minmax(0,1fr)]";

/** Stacked bars, one row per job. A visually hidden table has the same numbers for screen readers. */
export function JobChart({ rows }: { rows: Row[] }) {
  const longest = Math.max(...rows.map((row) => series.reduce((sum, { key }) => sum + row[key], 0)));
  // Four labels of five digits overlap on a phone.
  const ticks = axisTicks(0, longest, useNarrow() ? 2 : 4, true);
  const share = (count: number) => `${(count / (ticks.at(-1) ?? 1)) * 100}%`;
  return (
    <div aria-hidden="true" className="relative">
      <div className={`${columns} absolute inset-0`}>
        <div className="relative col-start-2 mx-4">
          {ticks.map((tick) => (
            <div key={tick} className="absolute inset-y-0 flex flex-col" style={{ left: share(tick) }}>
              <span className="w-px flex-1 bg-line" />
              <span className="figures h-6 -translate-x-1/2 pt-1 text-xs whitespace-nowrap text-muted">
                {tick.toLocaleString()}
              </span>
            </div>
          ))}
        </div>
      </div>
      <ul className="relative pb-6">
        {rows.map((row) => (
          <li key={row.rank} className={`${columns} group relative h-8.5 items-center hover:bg-hover/60`}>
            <span className="truncate pe-1 text-end text-[13px]">{row.job_name}</span>
            <div className="mx-4 flex h-4 gap-px">
              {series.map(({ key, color }) => (
                <span key={key} data-series={key} style={{ width: share(row[key]), background: color }} />
              ))}
            </div>
            <RowDetails row={row} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The numbers of the row under the pointer. */
function RowDetails({ row }: { row: Row }) {
  return (
    <div className="pointer-events-none absolute end-4 bottom-full z-10 hidden max-w-80 min-w-40 gap-1 rounded-control border border-line bg-raised px-3 py-2 text-sm shadow-float group-first:top-full group-first:bottom-auto group-hover:grid">
      <p className="font-medium wrap-anywhere">{row.job_name}</p>
      {series.map(({ key, label, color }) => (
        <p key={key} className="figures flex items-center gap-2 text-muted">
          <span className="size-2.5 rounded-sm" style={{ background: color }} />
          {label}
          <span className="ms-auto ps-4 text-ink">{row[key].toLocaleString()}</span>
        </p>
      ))}
    </div>
  );
}
