import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { blockKinds, type FoundLine, type FoundStay } from "#contract/page-block.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import { PeriodText } from "./period-text.tsx";

const shownStays = 3;

/** One line of a page with where and when it was seen; each time is a link to that execution. */
export function LineRow({ line }: { line: FoundLine }) {
  const [showsContext, setShowsContext] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const [first] = line.stays;
  const stays = showsAll ? line.stays : line.stays.slice(0, shownStays);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
      <p className="text-xs text-muted">{blockKinds[line.kind]}</p>
      <p dir="auto" className="wrap-anywhere">
        <Marked {...line} />
      </p>
      <p className="text-sm text-muted">
        <PeriodText period={line} />
      </p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
        {stays.map((stay) => (
          <StayRow key={`${stay.jobId} ${stay.firstExecutionId}`} stay={stay} />
        ))}
      </ul>
      <div className="-mx-2.5 flex flex-wrap empty:hidden">
        {line.kind === "text" && first && (
          <Button
            size="sm"
            look="ghost"
            aria-expanded={showsContext}
            onClick={() => setShowsContext(!showsContext)}
          >
            {showsContext ? "Hide the lines around it" : "Show the lines around it"}
          </Button>
        )}
        {!showsAll && line.stays.length > shownStays && (
          <Button size="sm" look="ghost" onClick={() => setShowsAll(true)}>
            Show {line.stays.length - shownStays} more
          </Button>
        )}
      </div>
      {showsContext && first && <Context lineId={line.id} jobId={first.jobId} />}
    </li>
  );
}

function Marked({ text, match: { start, end } }: FoundLine) {
  if (start === end) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark className="rounded-sm bg-changed-bg text-changed">{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

const executionLink = "text-accent-text underline underline-offset-2";

function StayRow({ stay }: { stay: FoundStay }) {
  const urlOf = (executionId: string) => jobUrl({ jobId: stay.jobId, groupId: stay.groupId, executionId });
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
      <Link
        to={jobUrl({ jobId: stay.jobId, groupId: stay.groupId })}
        className="max-w-full min-w-0 truncate font-medium hover:underline"
        title={stay.url}
      >
        {stay.job}
      </Link>
      <Link to={urlOf(stay.firstExecutionId)} className={executionLink}>
        first seen <Time at={stay.firstAt} />
      </Link>
      {stay.goneAt && stay.goneExecutionId ? (
        <Link to={urlOf(stay.goneExecutionId)} className={executionLink}>
          gone since <Time at={stay.goneAt} />
        </Link>
      ) : (
        <Link to={urlOf(stay.lastExecutionId)} className={executionLink}>
          still there
        </Link>
      )}
    </li>
  );
}

function Context({ lineId, jobId }: { lineId: number; jobId: string }) {
  const { data, error } = useQuery({
    queryKey: ["search", "context", lineId, jobId],
    queryFn: ({ signal }) =>
      call("GET /api/search/:lineId/context", { params: { lineId }, query: { jobId } }, { signal }),
    retry: false,
  });
  if (error)
    return (
      <p role="alert" className="text-sm text-removed">
        {error.message || "We couldn’t reach the server."}
      </p>
    );
  if (!data) return <Skeleton className="h-16" />;
  return (
    <div
      dir="auto"
      className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-control bg-sunken p-3 text-sm wrap-anywhere text-muted"
    >
      {data.before.map((line, i) => (
        <p key={`before ${i}`}>{line}</p>
      ))}
      <p className="text-ink">{data.line}</p>
      {data.after.map((line, i) => (
        <p key={`after ${i}`}>{line}</p>
      ))}
    </div>
  );
}
