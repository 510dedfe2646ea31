import { type ReactNode, type UIEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ComparedArea } from "#detection/verdict/verdict.ts";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { useWidth } from "#web/ui/use-width.ts";
import { alignBands } from "./align.ts";
import { BlinkPane, DifferencePane, OnionPane, SliderPane } from "./layered.tsx";
import type { PaneProps } from "./pane.ts";
import { type Marks, regionAt } from "./regions.ts";
import { gutter, placeOf } from "./sheet.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { type Picture, usePicture } from "./use-picture.ts";

export const imageModes = ["side", "slider", "onion", "blink", "difference"] as const;
export type ImageMode = (typeof imageModes)[number];

const panes: Record<ImageMode, (props: PaneProps) => ReactNode> = {
  side: SideBySide,
  slider: SliderPane,
  onion: OnionPane,
  blink: BlinkPane,
  difference: DifferencePane,
};

type ImageCompareProps = {
  before: { src: string; label: string; comparedArea: ComparedArea | null };
  after: { src: string; label: string; comparedArea: ComparedArea | null };
  /** Undefined until they are known. */
  marks: Marks | undefined;
  showsNoise: boolean;
  onPick: (region: number) => void;
  mode: ImageMode;
  zoom: number | null;
  onFit: (scale: number) => void;
  current: number;
  steps: number;
};

/** Two aligned screenshots in one of five comparison modes. */
export function ImageCompare({ marks, ...props }: ImageCompareProps) {
  const [attempt, setAttempt] = useState(0);
  const before = usePicture(props.before.src, attempt);
  const after = usePicture(props.after.src, attempt);
  if (before === "failed" || after === "failed")
    return <PictureFailed onRetry={() => setAttempt(attempt + 1)} />;
  if (!before || !after || !marks) return <Skeleton className="m-4 flex-1" />;
  return <Ready {...props} marks={marks} pictures={{ before, after }} />;
}

export function PictureFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Failed
      title="We couldn’t load the screenshot"
      action="Try again"
      onAction={onRetry}
      className="flex-1 content-center"
    >
      The capture and its HTML are still stored.
    </Failed>
  );
}

type ReadyProps = ImageCompareProps & {
  marks: Marks;
  pictures: { before: Picture; after: Picture };
};

function Ready({ pictures, before, after, marks, mode, zoom, onFit, ...look }: ReadyProps) {
  const { current, steps, showsNoise, onPick } = look;
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const width = useWidth(frame);
  const [oldHeight, newHeight] = [pictures.before.height, pictures.after.height];
  // Noise regions shift rows as well.
  const bands = useMemo(
    () => alignBands([...marks.regions, ...marks.noise], oldHeight, newHeight),
    [marks, oldHeight, newHeight],
  );
  const currentRegion = regionAt(marks, current);
  // The scroll area's padding and scroll bar, and the signs, take some of it.
  const room = (mode === "side" ? width / 2 : width) - 28 - gutter;
  const widest = Math.max(pictures.before.width, pictures.after.width);
  const fit = Math.max(0.05, Math.min(1, room / widest));
  const scale = zoom ?? fit;
  useEffect(() => onFit(fit), [onFit, fit]);

  // Keeps the center of the view in place when the zoom or the mode changes.
  const middle = useRef<{ x: number; y: number }>(undefined);
  const latest = useRef(scale);
  useLayoutEffect(() => {
    const previousScale = latest.current;
    latest.current = scale;
    const viewCenter = middle.current;
    if (!viewCenter) return;
    const place = currentRegion && placeOf(currentRegion, "both", bands);
    for (const scroller of scrollersIn(frame)) {
      const { clientWidth, clientHeight } = scroller;
      const regionCenter = place && { x: place.x + place.width / 2, y: place.y + place.height / 2 };
      // If the current region was visible, it stays visible instead of the center.
      const wasVisible =
        regionCenter &&
        Math.abs(regionCenter.x - viewCenter.x) * previousScale < clientWidth / 2 &&
        Math.abs(regionCenter.y - viewCenter.y) * previousScale < clientHeight / 2;
      const { x, y } = wasVisible ? regionCenter : viewCenter;
      scroller.scrollTo({ top: y * scale - clientHeight / 2, left: x * scale - clientWidth / 2 });
    }
    // Must not run again when another region is stepped to: another effect scrolls to it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [scale, mode]);
  const rememberCenter = ({ target }: UIEvent) => {
    if (!(target instanceof Element)) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = target;
    middle.current = { x: (scrollLeft + clientWidth / 2) / scale, y: (scrollTop + clientHeight / 2) / scale };
  };

  const isDrawn = width > 0;
  useEffect(() => {
    const place = currentRegion && isDrawn && placeOf(currentRegion, "both", bands);
    if (!place) return;
    for (const scroller of scrollersIn(frame)) {
      const room = Math.max(40, (scroller.clientHeight - place.height * latest.current) / 2);
      scroller.scrollTo({
        top: place.y * latest.current - room,
        left: Math.max(0, place.x * latest.current - 40),
      });
    }
  }, [steps, currentRegion, bands, isDrawn, frame]);

  const Pane = panes[mode];
  return (
    <div ref={setFrame} onScrollCapture={rememberCenter} className="flex min-h-0 min-w-0 flex-1">
      {isDrawn && (
        <Pane
          before={{ ...before, picture: pictures.before }}
          after={{ ...after, picture: pictures.after }}
          regions={marks.regions}
          noise={showsNoise ? marks.noise : none}
          bands={bands}
          scale={scale}
          current={current}
          onPick={onPick}
        />
      )}
    </div>
  );
}

const none: Marks["noise"] = [];
const scrollersIn = (frame: Element | null) => frame?.querySelectorAll("[data-scroller]") ?? [];
