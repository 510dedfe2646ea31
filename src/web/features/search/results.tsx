import type { SearchResults } from "#contract/page-block.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Empty } from "#web/ui/states.tsx";
import { LineRow } from "./line-row.tsx";
import { PeriodText } from "./period-text.tsx";

type ResultsProps = { results: SearchResults; onMore: (() => void) | undefined };

/** What all matching lines have in common, then each line. */
export function Results({ results, onMore }: ResultsProps) {
  const { lines, more, total } = results;
  return (
    <>
      <div
        className="grid gap-1 border-b border-line px-4 py-3 text-sm text-muted empty:hidden"
        role="status"
      >
        {total && (
          <p className="text-base text-ink">
            {describeCount(results)} <PeriodText period={total} isAtLeast={results.isCapped} />.
          </p>
        )}
        <Limits results={results} />
      </div>
      {lines.length === 0 && (
        <Empty icon="search" title="Nothing found">
          No stored capture of these pages had it. Try fewer words, another kind or a longer period.
        </Empty>
      )}
      {lines.length > 0 && (
        <ul className="divide-y divide-line">
          {lines.map((line) => (
            <LineRow key={line.id} line={line} />
          ))}
        </ul>
      )}
      {more && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line p-4">
          {onMore ? (
            <Button onClick={onMore}>Show more</Button>
          ) : (
            <p className="text-sm text-muted">There are more lines. Narrow the search to see them.</p>
          )}
        </div>
      )}
    </>
  );
}

const describeCount = ({ lines, more }: SearchResults) =>
  more ? `More than ${countOf(lines.length, "line")}.` : `${countOf(lines.length, "line")}.`;

function Limits({ results: { isCapped, isScanned, jobsToIndex } }: Pick<ResultsProps, "results">) {
  return (
    <>
      {isCapped && <p>More than 2,000 lines match, so these figures cover only some of them.</p>}
      {isScanned && (
        <p>
          Only your newest 100,000 lines were searched: the database has no text index. The operator of this
          installation can add one with the PostgreSQL extensions pg_trgm and btree_gin.
        </p>
      )}
      {jobsToIndex > 0 && (
        <p>
          {countOf(jobsToIndex, "job")} {jobsToIndex === 1 ? "has" : "have"} older captures that can’t be
          searched yet. They’re being indexed.
        </p>
      )}
    </>
  );
}
