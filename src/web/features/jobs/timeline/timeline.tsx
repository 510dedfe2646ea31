import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { call, type ReplyOf } from "#web/api/call.ts";
import { thumbnail } from "#web/api/images.ts";
import { IconButton } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { SeverityWord } from "#web/ui/severity.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Thumbnail } from "#web/ui/thumbnail.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { useUrlParams, withUrlParams } from "#web/ui/urls/use-url-params.ts";
import { keys } from "../queries.ts";
import { pan, type Range, zoom } from "./range.ts";
import { tickClasses } from "./tick-band.tsx";

type TimelineData = ReplyOf<"GET /api/jobs/:jobId/timeline">;
const pieces = 120;

type Piece = TimelineData["pieces"][number];

/** A job's history as a band: tall and colored where something changed. It can be zoomed, panned and opened. */
export function Timeline({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const [range, setRange] = useState<Range>();
  const all = useTimeline(jobId, undefined);
  const part = useTimeline(jobId, range);
  const { error, refetch } = all;
  const data = part.data ?? all.data;
  const limit = all.data && { from: Date.parse(all.data.from), to: Date.parse(all.data.to) };
  const shown = range ?? limit;
  const change = (next: (range: Range, limit: Range) => Range) => {
    if (shown && limit) setRange(next(shown, limit));
  };

  return (
    <section aria-label="Timeline" className="border-b border-line bg-sunken px-4 py-3">
      <div className="flex items-center gap-1">
        <h3 className="flex-1 text-sm">Timeline</h3>
        <IconButton icon="chevronLeft" label="Earlier" onClick={() => change((r, l) => pan(r, l, -0.5))} />
        <IconButton icon="chevronRight" label="Later" onClick={() => change((r, l) => pan(r, l, 0.5))} />
        <IconButton icon="plus" label="Zoom in" onClick={() => change((r, l) => zoom(r, l, 0.5))} />
        <IconButton icon="minus" label="Zoom out" onClick={() => change((r, l) => zoom(r, l, 2))} />
        <IconButton icon="refresh" label="Whole history" onClick={() => setRange(undefined)} />
        <IconButton icon="close" label="Close timeline" onClick={onClose} />
      </div>
      {error && !data && (
        <Failed title="We couldn’t load the timeline" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!data && !error && <Skeleton className="h-20" />}
      {data && shown && (
        <Band data={data} shown={shown} onZoom={(by, at) => change((r, l) => zoom(r, l, by, at))} />
      )}
    </section>
  );
}

function useTimeline(jobId: string, range: Range | undefined) {
  const query = range && { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
  return useQuery<TimelineData>({
    queryKey: [...keys.timeline(jobId), range],
    placeholderData: (previous) => previous,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/:jobId/timeline", { params: { jobId }, query: { ...query, pieces } }, { signal }),
  });
}

type BandProps = { data: TimelineData; shown: Range; onZoom: (by: number, at: number) => void };

function Band({ data, shown, onZoom }: BandProps) {
  const [search] = useUrlParams();
  const [hovered, setHovered] = useState<Piece>();
  // The band is a single tab stop; arrow keys move along it.
  const [visited, setVisited] = useState<string>();
  const tabStop = data.pieces.find(({ at }) => at === visited) ?? data.pieces.at(-1);
  const band = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = band.current;
    // React's own wheel handler cannot keep the browser from zooming the whole page.
    const handleWheel = (event: WheelEvent) => {
      if (!element || (!event.ctrlKey && !event.metaKey)) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      onZoom(event.deltaY > 0 ? 1.3 : 1 / 1.3, (event.clientX - box.left) / box.width);
    };
    element?.addEventListener("wheel", handleWheel, { passive: false });
    return () => element?.removeEventListener("wheel", handleWheel);
  }, [onZoom]);
  const left = (piece: Piece) =>
    ((Date.parse(piece.at) - Date.parse(data.from)) / (Date.parse(data.to) - Date.parse(data.from) || 1)) *
    100;
  return (
    <div className="relative" onMouseLeave={() => setHovered(undefined)}>
      <div className="relative h-12 border-b border-line-strong" ref={band}>
        {data.pieces.map((piece) => (
          <Link
            key={piece.at}
            to={`?${withUrlParams(search, { execution: piece.shown.id })}`}
            aria-label={describe(piece)}
            tabIndex={piece === tabStop ? 0 : -1}
            onKeyDown={moveFocus}
            onMouseEnter={() => setHovered(piece)}
            onFocus={() => {
              setHovered(piece);
              setVisited(piece.at);
            }}
            onBlur={() => setHovered(undefined)}
            style={{ left: `${left(piece)}%`, width: `${100 / pieces}%` }}
            className="group absolute inset-y-0 flex items-end justify-center px-px"
          >
            <span
              className={cx(
                "w-full max-w-2 rounded-t-[1px] group-hover:opacity-70",
                piece.changes > 0 ? "!h-10" : "!h-3",
                tickClasses(piece.shown),
              )}
            />
          </Link>
        ))}
      </div>
      <div className="figures flex flex-wrap justify-between gap-x-3 pt-1 text-xs text-muted">
        <span>{exactTime(shown.from)}</span>
        <span>{countOf(data.total, "execution")} in view</span>
        <span>{exactTime(shown.to)}</span>
      </div>
      {hovered && <Hover piece={hovered} at={left(hovered)} />}
    </div>
  );
}

function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const links = [...(currentTarget.parentElement?.querySelectorAll("a") ?? [])];
  const at = links.findIndex((link) => link === currentTarget);
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[key];
  if (next !== undefined) links[next]?.focus();
}

function describe({ executions, changes, failures, shown }: Piece): string {
  const parts = [countOf(executions, "execution")];
  if (changes > 0) parts.push(`${changes} changed`);
  if (failures > 0) parts.push(`${failures} failed`);
  return `${exactTime(Date.parse(shown.createdAt))}: ${parts.join(", ")}. ${shown.error ?? shown.summary}`;
}

function Hover({ piece, at }: { piece: Piece; at: number }) {
  const { shown, executions, changes } = piece;
  return (
    <div
      aria-hidden="true"
      style={{ left: `clamp(0px, calc(${at}% - 144px), calc(100% - 288px))` }}
      className="pointer-events-none absolute top-14 z-10 grid w-72 animate-fade gap-1.5 rounded-card border border-line bg-raised p-2 text-sm shadow-float"
    >
      {shown.hasImage && (
        <Thumbnail
          src={thumbnail(shown.jobId, shown.id)}
          className="h-32 w-full rounded-sm border border-line bg-sunken"
        />
      )}
      <p className="line-clamp-2 font-medium">{shown.error ?? shown.summary}</p>
      <p className="figures flex gap-2 text-xs text-muted">
        {shown.changed && shown.severity && <SeverityWord severity={shown.severity} />}#{shown.index} ·{" "}
        {exactTime(Date.parse(shown.createdAt))}
      </p>
      {executions > 1 && (
        <p className="figures text-xs text-muted">
          {countOf(executions, "execution")}, {changes} changed
        </p>
      )}
    </div>
  );
}
