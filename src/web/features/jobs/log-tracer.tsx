import { elementScroll, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type UIEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { type LogEntry, useLogs } from "./queries.ts";

const levels = ["info", "warn", "error"] as const;
type Level = LogEntry["level"];
const tones: Record<Level, string> = { info: "text-muted", warn: "text-changed", error: "text-removed" };

/** A job's log, newest last, as '[level] - meta'. */
export function LogTracer({ jobId }: { jobId: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useLogs(jobId);
  const [shown, setShown] = useState<Level[]>([...levels]);
  const [follows, setFollows] = useState(true);
  const lines = useMemo(
    () =>
      data?.pages
        .flat()
        .filter(({ level }) => shown.includes(level))
        .toReversed(),
    [data, shown],
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 text-sm">
        <fieldset className="flex items-center gap-3">
          <legend className="sr-only">Levels</legend>
          {levels.map((level) => (
            <label key={level} className="flex items-center gap-1.5">
              <input
                type="checkbox"
                checked={shown.includes(level)}
                onChange={(event) =>
                  setShown(event.target.checked ? [...shown, level] : shown.filter((one) => one !== level))
                }
                className="size-4 accent-accent-text"
              />
              {level}
            </label>
          ))}
        </fieldset>
        <label className="ms-auto flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={follows}
            onChange={(event) => setFollows(event.target.checked)}
            className="size-4 accent-accent-text"
          />
          Follow
        </label>
      </div>
      {error && !data && (
        <Failed title="We couldn’t load the log" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!data && !error && <Skeleton className="m-4 h-40" />}
      {lines?.length === 0 && (
        <Empty icon="jobs" title="No lines to show">
          {shown.length < levels.length
            ? "No lines at this level. Choose another above."
            : "Each check logs its steps here."}
        </Empty>
      )}
      {lines && lines.length > 0 && (
        <Lines
          lines={lines}
          follows={follows}
          onFollows={setFollows}
          onTop={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
          }}
        />
      )}
    </>
  );
}

type LinesProps = {
  lines: LogEntry[];
  follows: boolean;
  onFollows: (follows: boolean) => void;
  onTop: () => void;
};

function Lines({ lines, follows, onFollows, onTop }: LinesProps) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  /** Where the list last scrolled by itself: to the end, or because lines turned out taller than estimated. */
  const ownScroll = useRef<number | null>(null);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller,
    estimateSize: () => 20,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 20,
    // Older lines are added above the visible ones, which must not move.
    anchorTo: "end",
    scrollToFn: (offset, options, instance) => {
      elementScroll(offset, options, instance);
      ownScroll.current = instance.scrollElement?.scrollTop ?? null;
    },
  });
  const last = lines.at(-1)?.id;
  // Lines can turn out taller than estimated whenever they are rendered.
  const height = virtualizer.getTotalSize();
  useLayoutEffect(() => {
    if (follows && last !== undefined && height > 0 && scroller) virtualizer.scrollToEnd();
  }, [follows, last, height, scroller, virtualizer, lines.length]);

  const lastTop = useRef(0);
  function onScroll({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent) {
    const isAtEnd = scrollHeight - clientHeight - scrollTop < 4;
    const isOwnScroll = ownScroll.current !== null && Math.abs(scrollTop - ownScroll.current) < 1;
    if (isAtEnd && scrollTop > lastTop.current) onFollows(true);
    else if (!isAtEnd && !isOwnScroll && scrollTop < lastTop.current) onFollows(false);
    lastTop.current = scrollTop;
    if (scrollTop < 200) onTop();
  }

  /** Jumps without animation: smooth scrolling stops early where lines turn out taller than estimated. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Home") scroller?.scrollTo({ top: 0 });
    else if (event.key === "End") onFollows(true);
    else return;
    event.preventDefault();
  }

  const items = virtualizer.getVirtualItems();
  return (
    <ScrollArea
      ref={setScroller}
      label="Log lines"
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-y-auto bg-sunken py-2 font-mono text-xs leading-5 -outline-offset-2"
    >
      <div className="relative" style={{ height }}>
        {items.map((item) => {
          const line = lines[item.index];
          return (
            line && (
              <div
                key={line.id}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 flex gap-3 px-4 hover:bg-hover"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <time
                  dateTime={line.createdAt}
                  title={exactTime(Date.parse(line.createdAt))}
                  className="figures shrink-0 text-quiet"
                >
                  {stamp(line.createdAt)}
                </time>
                <span className="min-w-0 whitespace-pre-wrap">
                  <span className={cx("font-medium", tones[line.level])}>[{line.level}]</span> - {line.meta}
                </span>
              </div>
            )
          );
        })}
      </div>
    </ScrollArea>
  );
}

const clock = new Intl.DateTimeFormat(undefined, {
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

function stamp(at: string): string {
  return clock.format(Date.parse(at)).replace(",", "");
}
