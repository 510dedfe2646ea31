import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useWidth } from "#web/ui/use-width.ts";

type RowsOptions = {
  ids: string[];
  rowHeight: number;
  /** Rows have more lines where the list is narrower than this. */
  narrow?: { below: number; rowHeight: number };
  overscan: number;
  /** The selected row, which is the tab stop; without one, the row that was focused last is. */
  selected?: string;
  /** Keeps the visible rows in place when rows are added above them, unless the list is at its top. */
  keepsScrollPosition?: boolean;
  /** Called when a key moves the focus to a row. */
  onKeyboardMove?: (id: string) => void;
};

/** A virtual list of equally tall rows with arrow keys. The focused row stays rendered, so that it keeps the focus. */
export function useRows(options: RowsOptions) {
  const { ids, narrow, overscan, selected, keepsScrollPosition = false, onKeyboardMove } = options;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const width = useWidth(narrow ? scroller : null);
  const isNarrow = narrow !== undefined && width > 0 && width < narrow.below;
  const rowHeight = isNarrow ? narrow.rowHeight : options.rowHeight;
  const [active, setActive] = useState<{ id: string; wantsFocus: boolean }>();
  const at = active ? ids.indexOf(active.id) : -1;
  const tabStop = Math.max(0, selected === undefined ? at : ids.indexOf(selected));
  // No compiler memoizes this file, so the functions that the virtualizer returns are never stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan,
    anchorTo: keepsScrollPosition && scroller && scroller.scrollTop > 0 ? "end" : "start",
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), tabStop, at])]
        .filter((index) => index >= 0 && index < range.count)
        .toSorted((one, other) => one - other),
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  useLayoutEffect(() => {
    if (!active?.wantsFocus) return;
    // A list that was hidden a moment ago renders its rows a little later, so the row may not exist yet.
    const row = scroller?.querySelector<HTMLElement>(`[data-row="${at}"]`);
    row?.focus({ preventScroll: true });
    // The row's content may still be animating, so scroll to its list item.
    row?.closest("li")?.scrollIntoView({ block: "nearest" });
  });

  function focusRowAt(index: number) {
    const id = ids[index];
    if (id === undefined) return;
    // Render synchronously, so that the next key finds the focus on this row.
    flushSync(() => setActive({ id, wantsFocus: true }));
    onKeyboardMove?.(id);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const from = Number(event.currentTarget.dataset.row);
    const last = ids.length - 1;
    const to = { ArrowDown: Math.min(from + 1, last), ArrowUp: Math.max(from - 1, 0), Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    focusRowAt(to);
  }

  return {
    virtualizer,
    setScroller,
    isNarrow,
    focusRowAt,
    /** Focuses a row as soon as it is rendered. */
    focusRow: (id: string) => setActive({ id, wantsFocus: true }),
    /** Props for the one focusable element of a row. */
    rowProps: (index: number) => ({
      "data-row": index,
      tabIndex: index === tabStop ? 0 : -1,
      onKeyDown,
      onFocus: () => setActive({ id: ids[index] ?? "", wantsFocus: false }),
    }),
  };
}
