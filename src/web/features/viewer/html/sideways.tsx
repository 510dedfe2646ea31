import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

type SidewaysProps = {
  active: boolean;
  split: boolean;
  bar: RefObject<HTMLDivElement | null>;
  children: ReactNode;
};

/** One horizontal scroll for all lines of both sides: each cell moves its text by --x. */
export function Sideways({ active, split, bar, children }: SidewaysProps) {
  const frame = useRef<HTMLDivElement>(null);
  // Without --x nothing is moved, which is quicker to draw than a move by nothing.
  const moveBy = (x: number) => frame.current?.style.setProperty("--x", x === 0 ? null : `${x}px`);
  // A new bar begins at the left, and the lines with it.
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
          // Chromium would make it a stop of Tab.
          tabIndex={-1}
          data-sideways
          onScroll={(event) => moveBy(-event.currentTarget.scrollLeft)}
          className="shrink-0 overflow-x-auto font-mono text-xs"
        >
          <div
            className="h-px"
            // In the split view half of what shows is the other side's.
            style={{ width: `calc(var(--line) + var(--gutter) + ${split ? "50%" : "0px"})` }}
          />
        </div>
      )}
    </div>
  );
}

/** Scrolls a bar to a place, and makes it long enough first: wide characters are not counted in its length. */
export function scrollSideways(bar: HTMLElement, left: number): void {
  const length = bar.firstElementChild as HTMLElement;
  if (left + bar.clientWidth > length.offsetWidth) length.style.minWidth = `${left + bar.clientWidth}px`;
  bar.scrollTo({ left, behavior: "instant" });
}
