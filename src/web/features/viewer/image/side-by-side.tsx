import { useRef } from "react";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import type { PaneProps } from "./pane.ts";
import { Outlines, Shade, Sheet, Signs } from "./sheet.tsx";

/** Both pictures; scrolling one scrolls the other. */
export function SideBySide({ before, after, bands, scale, ...marks }: PaneProps) {
  const frame = useRef<HTMLDivElement>(null);
  // Positions that our own scrolling set. The scroll event comes a frame later and must not scroll the other side back.
  const syncedPositions = useRef(new WeakMap<Element, string>());

  function follow(scrolled: HTMLElement) {
    if (syncedPositions.current.get(scrolled) === scrollPosition(scrolled)) return;
    for (const other of frame.current?.querySelectorAll("[data-scroller]") ?? []) {
      if (other === scrolled) continue;
      other.scrollTo({ top: scrolled.scrollTop, left: scrolled.scrollLeft, behavior: "instant" });
      syncedPositions.current.set(other, scrollPosition(other));
    }
    syncedPositions.current.delete(scrolled);
  }

  return (
    <div ref={frame} className="grid min-h-0 min-w-0 flex-1 grid-cols-2 divide-x divide-line-strong">
      {([before, after] as const).map(({ label, picture, comparedArea }, i) => {
        const side = i === 0 ? "oldY" : "newY";
        return (
          <div key={side} className="flex min-h-0 min-w-0 flex-col">
            <p className="border-b border-line bg-surface px-3 py-1 text-sm text-muted">{label}</p>
            <ScrollArea
              label={label}
              onScroll={(event) => follow(event.currentTarget)}
              className="min-h-0 flex-1 overflow-auto bg-sunken p-3 ps-0 -outline-offset-2"
            >
              <div className="mx-auto flex w-max">
                <Signs {...marks} side={side} bands={bands} scale={scale} />
                <div className="relative">
                  <Sheet picture={picture} side={side} bands={bands} scale={scale} />
                  <Shade
                    comparedArea={comparedArea}
                    picture={picture}
                    side={side}
                    bands={bands}
                    scale={scale}
                  />
                  <Outlines {...marks} side={side} bands={bands} scale={scale} />
                </div>
              </div>
            </ScrollArea>
          </div>
        );
      })}
    </div>
  );
}

const scrollPosition = ({ scrollLeft, scrollTop }: Element) => `${scrollLeft} ${scrollTop}`;
