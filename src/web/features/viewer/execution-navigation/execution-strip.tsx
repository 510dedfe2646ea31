import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useState } from "react";
import { useHistory } from "#web/api/history.ts";
import { thumbnail } from "#web/api/images.ts";
import { cx } from "#web/ui/cx.ts";
import { severityEdge } from "#web/ui/severity.tsx";
import { Thumbnail } from "#web/ui/thumbnail.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";

const itemWidth = 84;

type RailProps = {
  jobId: string;
  current: string;
  other: string | undefined;
  onOpen: (executionId: string) => void;
};

/** The executions as a strip of thumbnails, the newest at the right end: left is earlier, as with the arrow keys. */
export function ExecutionStrip({ jobId, current, other, onOpen }: RailProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useHistory(jobId);
  const executions = data?.pages.flatMap((page) => page.executions) ?? [];
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    horizontal: true,
    isRtl: true,
    count: executions.length,
    getScrollElement: () => scroller,
    estimateSize: () => itemWidth,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const at = executions.findIndex(({ id }) => id === current);
  useEffect(() => {
    if (at >= 0 && scroller) virtualizer.scrollToIndex(at, { align: "auto" });
  }, [at, scroller, virtualizer]);
  const isAtEnd = items.at(-1)?.index === executions.length - 1;
  useEffect(() => {
    if (isAtEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isAtEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <nav
      ref={setScroller}
      // The strip starts at its right end, and older executions load to the left.
      dir="rtl"
      aria-label="Executions"
      className="h-18 shrink-0 overflow-x-auto overflow-y-hidden border-t border-line bg-surface max-sm:hidden [@media(height<520px)]:hidden"
    >
      <ul className="relative h-full" style={{ width: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const execution = executions[item.index];
          if (!execution) return null;
          const { id, index, changed, severity, error, hasImage, createdAt, summary } = execution;
          return (
            <li
              key={id}
              className="absolute inset-y-0 p-1.5"
              dir="ltr"
              style={{ width: item.size, right: item.start }}
            >
              <button
                type="button"
                tabIndex={id === current ? 0 : -1}
                aria-current={id === current ? "true" : undefined}
                title={`${exactTime(Date.parse(createdAt))}: ${error ?? summary}`}
                onClick={() => onOpen(id)}
                className={cx(
                  "grid h-full w-full grid-rows-[1fr_auto] overflow-clip rounded-sm bg-sunken ring-1 -outline-offset-2",
                  id === current
                    ? "ring-2 ring-accent-text"
                    : id === other
                      ? "ring-2 ring-edge"
                      : "ring-line",
                  changed && severityEdge(severity ?? "info"),
                )}
              >
                <Thumbnail
                  src={hasImage ? thumbnail(jobId, id) : undefined}
                  hasFailed={error !== null}
                  lazy
                  className="h-full min-h-0 w-full"
                />
                <span className="figures bg-surface font-mono text-xs leading-4 text-muted">
                  #{index}
                  {changed && (
                    <span className="text-changed">
                      {" "}
                      <span aria-hidden="true">~</span>
                      <span className="sr-only">changed</span>
                    </span>
                  )}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
