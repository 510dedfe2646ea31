import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useWidth } from "#web/ui/use-width.ts";

type RowsOptions = {
  ids: string[];
  rowHeight: number;
  /** Where the list is narrower than this, its rows have more lines. */
  narrow?: { below: number; rowHeight: number };
  overscan: number;
  /** The chosen row, where Tab enters; without one, it enters where the focus last was. */
  selected?: string;
  /** What is in view stays there when rows come above it, unless the very top is in view. */
  keepsPlace?: boolean;
  /** Told when keys take the focus to a row. */
  onWalk?: (id: string) => void;
};

/** Rows of one height, drawn while in sight and walked by keys. The row with the focus is always drawn: it cannot be lost. */
export function useRows(options: RowsOptions) {
  const { ids, narrow, overscan, selected, keepsPlace = false, onWalk } = options;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const width = useWidth(narrow ? scroller : null);
  const isNarrow = narrow !== undefined && width > 0 && width < narrow.below;
  const rowHeight = isNarrow ? narrow.rowHeight : options.rowHeight;
  const [active, setActive] = useState<{ id: string; wantsFocus: boolean }>();
  const at = active ? ids.indexOf(active.id) : -1;
  const stop = Math.max(0, selected === undefined ? at : ids.indexOf(selected));
  // No compiler memoises this file, so the functions it returns are never stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan,
    anchorTo: keepsPlace && scroller && scroller.scrollTop > 0 ? "end" : "start",
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), stop, at])]
        .filter((index) => index >= 0 && index < range.count)
        .toSorted((one, other) => one - other),
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  useLayoutEffect(() => {
    if (!active?.wantsFocus) return;
    // A list that was out of sight a moment ago draws its rows a little later.
    const row = scroller?.querySelector<HTMLElement>(`[data-row="${at}"]`);
    row?.focus({ preventScroll: true });
    // What is in it may still be sliding in.
    row?.closest("li")?.scrollIntoView({ block: "nearest" });
  });

  function walkTo(index: number) {
    const id = ids[index];
    if (id === undefined) return;
    // Drawn at once, so that the next key finds the focus where this one put it.
    flushSync(() => setActive({ id, wantsFocus: true }));
    onWalk?.(id);
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
    walkTo(to);
  }

  return {
    virtualizer,
    setScroller,
    isNarrow,
    walkTo,
    /** Puts the focus on a row as soon as it is drawn. */
    focusRow: (id: string) => setActive({ id, wantsFocus: true }),
    /** For the one thing in a row that takes the focus. */
    rowProps: (index: number) => ({
      "data-row": index,
      tabIndex: index === stop ? 0 : -1,
      onKeyDown,
      onFocus: () => setActive({ id: ids[index] ?? "", wantsFocus: false }),
    }),
  };
}
