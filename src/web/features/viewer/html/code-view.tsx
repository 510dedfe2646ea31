import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Region } from "#detection/verdict/verdict.ts";
import { cx } from "#web/ui/cx.ts";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { CodeLine } from "./code-line.tsx";
import { focusRow } from "./focus-row.ts";
import { HorizontalScroll, scrollHorizontally } from "./horizontal-scroll.tsx";
import type { Diff, Elements } from "./lines.ts";
import { changeOfRegion, regionsOfChanges } from "./locate.ts";
import { Overview } from "./overview.tsx";
import { placesIn, scrollOffset } from "./reveal.ts";
import { findRows, hunkStarts, plainRows, type Row, rowsOf } from "./rows.ts";

const lineHeight = 20;
// In characters: the width of a line that is cut at 2000, with the button that expands it.
const widest = 2030;

export type Counts = {
  changes: number;
  hits: number;
  /** For each change, the region that shows it; -1 if none does. */
  regions: readonly number[];
};

export type CodeViewProps = {
  diff: Diff;
  /** The lines on which its elements are, once they are known. */
  elements: Elements | undefined;
  isCompared: boolean;
  layout: "split" | "unified";
  filter: boolean;
  wrap: boolean;
  wanted: string;
  /** Index of the change or search hit in focus. */
  current: number;
  steps: number;
  regions: readonly Region[];
  /** A region whose change should get the focus; `onLocated` is called once that change is known. */
  wantedRegion: number | null;
  onLocated: (change: number) => void;
  /** Receives the number of changes and hits, and undefined when the view unmounts. */
  onCounted: (counts: Counts | undefined) => void;
  labels: { before: string; after: string };
};

/** Captured HTML as lines of text, compared or alone. Only visible lines are rendered. */
// Long because rows, search hits, the virtualizer and the scrolling to a change depend on each other's state.
export function CodeView(props: CodeViewProps) {
  const { diff, isCompared, layout, filter, wrap, wanted, current, steps, onCounted, labels } = props;
  const { elements, regions, wantedRegion, onLocated } = props;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [hasWhole, setHasWhole] = useState(false);
  const showWhole = useCallback(() => setHasWhole(true), []);
  const isSplit = isCompared && layout === "split";
  const rows = useMemo(
    () => (isCompared ? rowsOf(diff, { layout, filter, opened }) : plainRows(diff.new.length)),
    [diff, isCompared, layout, filter, opened],
  );
  const starts = useMemo(() => hunkStarts(rows), [rows]);
  const hits = useMemo(() => findRows(rows, diff, wanted), [rows, diff, wanted]);
  const longest = useMemo(() => longestLine(diff), [diff]);
  const targets = wanted ? hits : starts;
  const changeRegions = useMemo(() => regionsOfChanges(diff, elements, regions), [diff, elements, regions]);
  useEffect(() => {
    onCounted({ changes: starts.length, hits: hits.length, regions: changeRegions });
    return () => onCounted(undefined);
  }, [onCounted, starts, hits, changeRegions]);
  const locate = useEffectEvent(onLocated);
  useEffect(() => {
    const region = wantedRegion === null ? undefined : regions[wantedRegion];
    if (region && elements) locate(Math.max(0, changeOfRegion(diff, elements, region)));
  }, [diff, elements, regions, wantedRegion]);

  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => lineHeight,
    overscan: 6,
  });
  const target = targets[current];
  const isSought = (index: number) =>
    index === target ||
    (!wanted && index > (target ?? index) && rows[index]?.hunk === rows[target ?? -1]?.hunk);
  // The row that was stepped to but is not rendered yet.
  const pendingRow = useRef<number>(undefined);
  const scrollToTarget = useEffectEvent(() => {
    if (target === undefined) return;
    virtualizer.scrollToIndex(target, { align: "center" });
    pendingRow.current = target;
  });
  const hasTargets = targets.length > 0;
  // The row's index is not a dependency: expanding lines above it is not a step.
  useEffect(() => {
    if (scroller && hasTargets) scrollToTarget();
  }, [current, wanted, steps, layout, filter, wrap, scroller, hasTargets]);
  useEffect(() => {
    if (pendingRow.current === undefined || !scroller) return;
    // Measure once the frame is laid out: measuring earlier would lay out a large pair twice.
    const timer = setTimeout(() => {
      const drawn = [...scroller.querySelectorAll<HTMLElement>("[data-sought]")];
      if (Number(drawn[0]?.dataset.index) !== pendingRow.current) return;
      pendingRow.current = undefined;
      const line = drawn[0]?.querySelector("[data-line]")?.parentElement;
      if (!bar.current || !line) return;
      scrollHorizontally(
        bar.current,
        scrollOffset(placesIn(drawn, wanted ? "found" : "mark"), line.clientWidth),
      );
    });
    return () => clearTimeout(timer);
  });
  // When a focused row is scrolled away, the focus moves to the pane instead of the page.
  const drawRow = useCallback(
    (row: HTMLDivElement | null) => {
      if (wrap) virtualizer.measureElement(row);
      return () => {
        if (row?.contains(document.activeElement)) scroller?.focus({ preventScroll: true });
      };
    },
    [wrap, virtualizer, scroller],
  );

  const fits = virtualizer.getTotalSize() <= (virtualizer.scrollRect?.height ?? 0);
  const digits = String(Math.max(diff.old.length, diff.new.length)).length;
  const style = {
    "--gutter": `${digits + 2}ch`,
    "--line": `${(hasWhole ? longest : Math.min(longest, widest)) + 2}ch`,
  } as CSSProperties;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface" style={style}>
      {isSplit && (
        <div className="grid grid-cols-2 divide-x divide-line-strong border-b border-line pe-2.5 text-sm text-muted">
          <p className="px-3 py-1">{labels.before}</p>
          <p className="px-3 py-1">{labels.after}</p>
        </div>
      )}
      <div className="flex min-h-0 min-w-0 flex-1">
        <HorizontalScroll active={!wrap} split={isSplit} bar={bar}>
          <ScrollArea
            ref={setScroller}
            label="HTML"
            dir="ltr"
            className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto font-mono text-xs leading-5 -outline-offset-2"
          >
            <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
              {virtualizer.getVirtualItems().map((item) => {
                const row = rows[item.index];
                return (
                  row && (
                    <div
                      key={item.key}
                      ref={drawRow}
                      data-index={item.index}
                      data-sought={isSought(item.index) || undefined}
                      className="absolute inset-x-0 -outline-offset-2"
                      style={{ transform: `translateY(${item.start}px)`, minHeight: lineHeight }}
                    >
                      <RowView
                        row={row}
                        diff={diff}
                        isSplit={isSplit}
                        isCompared={isCompared}
                        wrap={wrap}
                        wanted={wanted}
                        isCurrent={item.index === target}
                        isSought={isSought(item.index)}
                        onOpen={(start) => setOpened(new Set([...opened, start]))}
                        onWhole={showWhole}
                      />
                    </div>
                  )
                );
              })}
            </div>
          </ScrollArea>
        </HorizontalScroll>
        {isCompared && (
          <Overview
            rows={rows}
            lines={fits ? virtualizer.getVirtualItems() : undefined}
            onGo={(row) => virtualizer.scrollToIndex(row, { align: "center" })}
          />
        )}
      </div>
    </div>
  );
}

function longestLine(diff: Diff): number {
  let longest = 0;
  for (const line of diff.old) if (line.length > longest) longest = line.length;
  for (const line of diff.new) if (line.length > longest) longest = line.length;
  return longest;
}

type RowViewProps = {
  row: Row;
  diff: Diff;
  isSplit: boolean;
  isCompared: boolean;
  wrap: boolean;
  wanted: string;
  isCurrent: boolean;
  isSought: boolean;
  onOpen: (start: number) => void;
  onWhole: () => void;
};

function RowView({ row, diff, isSplit, isCompared, onOpen, ...shared }: RowViewProps) {
  if (row.kind === "fold") {
    return (
      <button
        type="button"
        onClick={(event) => {
          focusRow(event.currentTarget);
          onOpen(row.old);
        }}
        className="h-5 w-full bg-info-bg px-3 text-start font-sans text-xs text-info -outline-offset-2 hover:underline"
      >
        {row.count.toLocaleString()} identical {row.count === 1 ? "line" : "lines"}
      </button>
    );
  }
  const old = diff.old[row.old];
  const fresh = diff.new[row.new];
  const isPair = old !== undefined && fresh !== undefined && row.kind !== "same";
  if (isSplit) {
    return (
      <div className="grid grid-cols-2 divide-x divide-line-strong">
        <Cell
          {...shared}
          side="old"
          number={row.old}
          line={old}
          other={isPair ? fresh : undefined}
          kind={row.kind === "same" ? "same" : old === undefined ? "none" : "removed"}
        />
        <Cell
          {...shared}
          side="new"
          number={row.new}
          line={fresh}
          other={isPair ? old : undefined}
          kind={row.kind === "same" ? "same" : fresh === undefined ? "none" : "added"}
        />
      </div>
    );
  }
  const isOld = row.kind === "removed";
  return (
    <Cell
      {...shared}
      side={isOld ? "old" : "new"}
      number={isOld ? row.old : row.new}
      line={isOld ? old : fresh}
      other={isPair ? (isOld ? fresh : old) : undefined}
      kind={!isCompared || row.kind === "same" ? "same" : isOld ? "removed" : "added"}
    />
  );
}

const kinds = {
  same: { sign: " ", look: "", number: "text-quiet" },
  none: { sign: " ", look: "bg-sunken", number: "" },
  removed: { sign: "−", look: "bg-removed-bg", number: "text-removed" },
  added: { sign: "+", look: "bg-added-bg", number: "text-added" },
};

type CellProps = {
  side: "old" | "new";
  number: number;
  line: string | undefined;
  other: string | undefined;
  kind: keyof typeof kinds;
} & Pick<RowViewProps, "wrap" | "wanted" | "isCurrent" | "isSought" | "onWhole">;

function Cell({ side, number, line, other, kind, wrap, isCurrent, ...rest }: CellProps) {
  const { sign, look, number: tone } = kinds[kind];
  return (
    <div className={cx("flex min-h-5 min-w-0 overflow-hidden", look)}>
      <span
        aria-hidden="true"
        className={cx(
          "w-(--gutter) shrink-0 border-e border-line pe-1.5 text-end select-none",
          isCurrent ? "bg-accent text-accent-ink" : tone,
        )}
      >
        {line === undefined ? "" : number + 1}
      </span>
      <span aria-hidden="true" className={cx("w-[2ch] shrink-0 text-center select-none", tone)}>
        {sign}
      </span>
      {line !== undefined && (
        <span className="min-w-0 flex-1 overflow-hidden">
          {kind === "removed" && <span className="sr-only">removed: </span>}
          {kind === "added" && <span className="sr-only">added: </span>}
          <span
            data-line
            className={
              wrap
                ? "block wrap-anywhere whitespace-pre-wrap"
                : "block w-max translate-x-(--x) whitespace-pre"
            }
          >
            <CodeLine {...rest} line={line} other={other} side={side} />
          </span>
        </span>
      )}
    </div>
  );
}
