import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

type SidewaysProps = {
  active: boolean;
  split: boolean;
  bar: RefObject<HTMLDivElement | null>;
  children: ReactNode;
};

/** One horizontal scroll bar for all lines of both sides: each cell shifts its text by --x. */
export function HorizontalScroll({ active, split, bar, children }: SidewaysProps) {
  const frame = useRef<HTMLDivElement>(null);
  // Removing --x is faster to render than a shift by 0.
  const moveBy = (x: number) => frame.current?.style.setProperty("--x", x === 0 ? null : `${x}px`);
  // A new scroll bar starts at the left, so the lines must too.
  useLayoutEffect(() => frame.current?.style.setProperty("--x", null), [active]);
  return (
    <div
      ref={frame}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      onWheel={(event) => {
        const by = event.deltaX || (event.shiftKey ? event.deltaY : 0);
        if (active && by !== 0) bar.current?.scrollBy({ left: by, behavior: "instant" });
      }}
    >
      {children}
      {active && (
        <div
          ref={bar}
          aria-hidden="true"
          // Chromium would make it a tab stop.
          tabIndex={-1}
          data-sideways
          onScroll={(event) => moveBy(-event.currentTarget.scrollLeft)}
          className="shrink-0 overflow-x-auto font-mono text-xs"
        >
          <div
            className="h-px"
            // In the split view, half of the visible width belongs to the other side.
            style={{ width: `calc(var(--line) + var(--gutter) + ${split ? "50%" : "0px"})` }}
          />
        </div>
      )}
    </div>
  );
}

/** Scrolls the bar to an offset, and lengthens it first if needed: its length does not count wide characters. */
export function scrollHorizontally(bar: HTMLElement, left: number): void {
  const length = bar.firstElementChild as HTMLElement;
  if (left + bar.clientWidth > length.offsetWidth) length.style.minWidth = `${left + bar.clientWidth}px`;
  bar.scrollTo({ left, behavior: "instant" });
}
