import type { ReplyOf } from "#web/api/call.ts";

export type Statistics = ReplyOf<"GET /api/analytics/job_statistics">;
export type Row = Statistics[number] & { rank: number };

const pageSize = 12;
// Numeric collation sorts Job 2 before Job 10.
const byName = new Intl.Collator(undefined, { numeric: true });

/** Splits jobs into pages of twelve, busiest first, so that the chart stays readable with hundreds of jobs. */
export function chartPages(statistics: Statistics): Row[][] {
  const weight = (row: Statistics[number]) => row.logs + row.executions + row.errors;
  const rows = statistics
    .toSorted((a, b) => weight(b) - weight(a) || byName.compare(a.job_name, b.job_name))
    .map((row, i) => ({ ...row, rank: i + 1 }));
  const pages: Row[][] = [];
  for (let start = 0; start < rows.length; start += pageSize) pages.push(rows.slice(start, start + pageSize));
  return pages;
}
