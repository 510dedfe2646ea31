import { type ComponentProps, useEffect, useState } from "react";
import { Link } from "react-router";
import { useHistory } from "#web/api/history.ts";
import { thumbnail } from "#web/api/images.ts";
import { cx } from "#web/ui/cx.ts";
import { formatSimilarity } from "#web/ui/format-similarity.ts";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Thumbnail } from "#web/ui/thumbnail.tsx";
import { shortTime } from "#web/ui/time/relative-time.ts";
import { Time } from "#web/ui/time/time.tsx";
import { useUrlParams, withUrlParams } from "#web/ui/urls/use-url-params.ts";
import type { Execution, Job } from "../queries.ts";
import { useRows } from "../use-rows.ts";
import { changeSign, lastResult } from "./last-result.ts";
import { StatusCode } from "./status-code.tsx";

const rowHeight = 60;
const narrow = { below: 600, rowHeight: 88 };

/** The job's whole history, newest first; scrolling loads further pages. */
export function Executions({ job }: { job: Job }) {
  const [search, change] = useUrlParams();
  const changesOnly = search.get("only") === "changes";
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useHistory(
    job.id,
    changesOnly,
  );
  const executions = data?.pages.flatMap((page) => page.executions);
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4 py-2 text-sm">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={changesOnly}
            onChange={(event) => change({ only: event.target.checked ? "changes" : null }, true)}
            className="size-4 accent-accent-text"
          />
          Changes only
        </label>
        <span className="figures ms-auto text-muted">
          {(changesOnly ? job.changesTotal : job.executionsTotal).toLocaleString()} in total
        </span>
      </div>
      {error && !executions && (
        <Failed title="We couldn’t load the executions" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!executions && !error && <RowsSkeleton />}
      {executions?.length === 0 && (
        <Empty icon="clock" title={changesOnly ? "No changes yet" : "The first check is on its way"}>
          {changesOnly
            ? "No check so far has found a change."
            : "It takes a few seconds and appears here automatically."}
        </Empty>
      )}
      {executions && executions.length > 0 && (
        <Rows
          executions={executions}
          onEnd={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
          }}
        />
      )}
    </>
  );
}

function Rows({ executions, onEnd }: { executions: Execution[]; onEnd: () => void }) {
  const [newest] = useState(() => executions[0]?.index ?? 0);
  const { virtualizer, setScroller, isNarrow, rowProps } = useRows({
    ids: executions.map(({ id }) => id),
    rowHeight,
    narrow,
    overscan: 8,
    keepsScrollPosition: true,
  });
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= executions.length - 18;
  useEffect(() => {
    if (isNearEnd) onEnd();
  });
  return (
    <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label="Executions" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const execution = executions[item.index];
          return (
            execution && (
              <li
                key={execution.id}
                className="absolute inset-x-0"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <ExecutionRow
                  execution={execution}
                  isNew={execution.index > newest}
                  isScrolling={virtualizer.isScrolling}
                  isNarrow={isNarrow}
                  linkProps={rowProps(item.index)}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

type ExecutionRowProps = {
  execution: Execution;
  isNew: boolean;
  isScrolling: boolean;
  isNarrow: boolean;
  linkProps: Partial<ComponentProps<typeof Link>>;
};

function ExecutionRow({ execution, isNew, isScrolling, isNarrow, linkProps }: ExecutionRowProps) {
  const [search] = useUrlParams();
  const { changed, severity } = execution;
  const to = withUrlParams(search, { job: execution.jobId, execution: execution.id });
  return (
    <Link
      {...linkProps}
      to={`?${to}`}
      className={cx(
        "grid h-full items-center gap-x-3 border-b border-line ps-3.5 pe-4 transition-colors -outline-offset-2 hover:bg-hover",
        isNarrow ? "grid-cols-[52px_minmax(0,1fr)]" : "grid-cols-[52px_auto_minmax(0,1fr)_auto]",
        changed ? severityEdge(severity ?? "info") : "border-s-2 border-s-transparent",
        isNew && "animate-rise",
      )}
    >
      <RowPicture execution={execution} isScrolling={isScrolling} />
      {isNarrow ? <Stacked execution={execution} /> : <InLine execution={execution} />}
    </Link>
  );
}

/** A row's content in columns, where the list is wide enough. */
function InLine({ execution }: { execution: Execution }) {
  return (
    <>
      <span className="grid w-12 justify-items-start gap-1">
        <Index execution={execution} />
        <StatusCode code={execution.status_code} />
      </span>
      <span className="grid min-w-0">
        <Result execution={execution} />
        <span className="flex min-w-0 items-baseline gap-2 text-xs text-muted">
          <Outcome execution={execution} />
          <Identity execution={execution} />
        </span>
      </span>
      <span className="figures grid justify-items-end text-sm whitespace-nowrap">
        <Time at={execution.createdAt} />
        <Similarity execution={execution} />
      </span>
    </>
  );
}

/** A row's content in lines, where the list is narrow. */
function Stacked({ execution }: { execution: Execution }) {
  return (
    <span className="grid min-w-0">
      <span className="flex items-center gap-2 text-sm">
        <Index execution={execution} />
        <StatusCode code={execution.status_code} />
        <Time at={execution.createdAt} className="figures ms-auto whitespace-nowrap" />
      </span>
      <Result execution={execution} />
      <span className="flex min-w-0 items-baseline gap-2 text-xs text-muted">
        <Outcome execution={execution} />
        {/* The reason for a suppressed alert needs the space. */}
        {execution.untold === null && <Similarity execution={execution} />}
      </span>
      <span className="flex min-w-0 items-baseline gap-2 text-xs text-muted">
        <Identity execution={execution} />
      </span>
    </span>
  );
}

const signTones = { "+": "text-added", "−": "text-removed", "~": "text-changed" };

type PartProps = { execution: Execution };

function Index({ execution }: PartProps) {
  return <span className="figures font-mono text-xs text-muted">#{execution.index}</span>;
}

function Result({ execution }: PartProps) {
  const { changed, error } = execution;
  return (
    <span
      title={lastResult(execution)}
      className={cx("truncate", error ? "text-removed" : changed ? "font-medium text-ink" : "text-muted")}
    >
      {changed && (
        <span aria-hidden="true" className={cx("me-1.5 font-mono", signTones[changeSign(execution.summary)])}>
          {changeSign(execution.summary)}
        </span>
      )}
      {lastResult(execution)}
    </span>
  );
}

function Outcome({ execution: { changed, error, severity, untold } }: PartProps) {
  return (
    <>
      {untold ? (
        <span className="min-w-0 truncate" title={`Changed, no alert: ${untold}`}>
          Changed, no alert: {untold}
        </span>
      ) : (
        <span className="whitespace-nowrap">{error ? "Failed" : changed ? "Changed" : "Not changed"}</span>
      )}
      {changed && severity && <SeverityWord severity={severity} />}
    </>
  );
}

function Identity({ execution }: PartProps) {
  return (
    <>
      <span className="figures whitespace-nowrap">{shortTime(Date.parse(execution.createdAt))}</span>
      <span className="truncate font-mono" title={execution.id}>
        {execution.id}
      </span>
    </>
  );
}

function Similarity({ execution: { similarity } }: PartProps) {
  if (similarity === null) return null;
  return (
    <span
      className="figures text-xs whitespace-nowrap text-muted"
      title={`${similarity}% of the page is unchanged`}
    >
      {formatSimilarity(similarity)} alike
    </span>
  );
}

/** A row's thumbnail, which is not requested while the row only scrolls past. */
function RowPicture({ execution, isScrolling }: { execution: Execution; isScrolling: boolean }) {
  const [isWanted, setWanted] = useState(!isScrolling);
  if (!isScrolling && !isWanted) setWanted(true);
  const shape = "h-10 w-13 rounded-sm border border-line bg-sunken";
  const { jobId, id, hasImage, error } = execution;
  if (hasImage && !isWanted) return <span aria-hidden="true" className={shape} />;
  return (
    <Thumbnail
      src={hasImage ? thumbnail(jobId, id) : undefined}
      hasFailed={error !== null}
      className={shape}
    />
  );
}

function RowsSkeleton() {
  return (
    <div className="grid gap-2 p-4">
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className="h-12" />
      ))}
    </div>
  );
}
