import type { ReplyOf } from "#web/api/call.ts";

export type Statistics = ReplyOf<"GET /api/analytics/job_statistics">;
export type Row = Statistics[number] & { rank: number };

const pageSize = 12;
// Job 2 comes before Job 10.
const byName = new Intl.Collator(undefined, { numeric: true });

/** Jobs in pages of twelve, the busiest first, so that one bar or four hundred stay readable. */
export function chartPages(statistics: Statistics): Row[][] {
  const weight = (row: Statistics[number]) => row.logs + row.executions + row.errors;
  const rows = statistics
    .toSorted((a, b) => weight(b) - weight(a) || byName.compare(a.job_name, b.job_name))
    .map((row, i) => ({ ...row, rank: i + 1 }));
  const pages: Row[][] = [];
  for (let start = 0; start < rows.length; start += pageSize) pages.push(rows.slice(start, start + pageSize));
  return pages;
}
