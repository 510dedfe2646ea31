import { type CSSProperties, type ReactNode, useEffect, useState } from "react";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { sheetHeight } from "./align.ts";
import type { PaneProps } from "./pane.ts";
import { Outlines, Shade, Sheet, Signs } from "./sheet.tsx";

type LayersProps = PaneProps & { tools?: ReactNode; children: ReactNode };

/** One scroll area with both pictures on top of each other. */
function Layers({ before, after, bands, scale, tools, children, ...marks }: LayersProps) {
  const width = Math.max(before.picture.width, after.picture.width);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {tools && (
        <div className="flex items-center gap-3 border-b border-line bg-surface px-3 py-1 text-sm text-muted">
          {tools}
        </div>
      )}
      <ScrollArea
        label={`${before.label} and ${after.label}`}
        className="min-h-0 flex-1 overflow-auto bg-sunken p-3 ps-0 -outline-offset-2"
      >
        <div className="mx-auto flex w-max">
          <Signs {...marks} side="both" bands={bands} scale={scale} />
          <div
            className="relative isolate"
            style={{ width: width * scale, height: sheetHeight(bands) * scale }}
          >
            {children}
            <Shade
              comparedArea={after.comparedArea}
              picture={after.picture}
              side="newY"
              bands={bands}
              scale={scale}
            />
            <Outlines {...marks} side="both" bands={bands} scale={scale} />
          </div>
        </div>
      </ScrollArea>
    </div>
  );
}

const top = "!absolute inset-0";

/** The later sheet on top of the earlier one; `style` applies to the later one. */
function Pair({ before, after, bands, scale, style }: PaneProps & { style: CSSProperties }) {
  return (
    <>
      <Sheet picture={before.picture} side="oldY" bands={bands} scale={scale} className={top} />
      <Sheet picture={after.picture} side="newY" bands={bands} scale={scale} className={top} style={style} />
    </>
  );
}

/** "#41 · Nov 19, 2026, 4:19 AM": on a narrow screen only what is before the dot, so that the slider has room. */
function SideLabel({ label }: { label: string }) {
  const [name, ...time] = label.split(" · ");
  return (
    <span className="whitespace-nowrap">
      {name}
      <span className="max-md:sr-only"> · {time.join(" · ")}</span>
    </span>
  );
}

type BlendedProps = PaneProps & {
  label: string;
  style: (share: number) => CSSProperties;
  handle?: (share: number, put: (share: number) => void) => ReactNode;
};

/** The later picture over the earlier one; a range input sets how much of it shows. */
function Blended({ label, style, handle, ...props }: BlendedProps) {
  const { before, after } = props;
  const [share, setShare] = useState(50);
  return (
    <Layers
      {...props}
      tools={
        <>
          <SideLabel label={before.label} />
          <input
            type="range"
            min={0}
            max={100}
            value={share}
            aria-label={label}
            onChange={(event) => setShare(Number(event.target.value))}
            className="min-w-24 flex-1 accent-accent-text"
          />
          <SideLabel label={after.label} />
        </>
      }
    >
      <Pair {...props} style={style(share)} />
      {handle?.(share, setShare)}
    </Layers>
  );
}

/** The slider divides the earlier picture on its left from the later one on its right. */
export function SliderPane(props: PaneProps) {
  return (
    <Blended
      {...props}
      label="How much of the earlier capture shows"
      style={(share) => ({ clipPath: `inset(0 0 0 ${share}%)` })}
      handle={(share, put) => (
        <div
          className="absolute inset-y-0 z-10 -ms-3 flex w-6 cursor-ew-resize touch-none justify-center"
          style={{ left: `${share}%` }}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            if (event.buttons !== 1) return;
            const box = event.currentTarget.parentElement?.getBoundingClientRect();
            if (box) put(Math.max(0, Math.min(100, ((event.clientX - box.left) / box.width) * 100)));
          }}
        >
          <span className="h-full w-0.5 bg-accent" />
        </div>
      )}
    />
  );
}

/** Both pictures at once, with adjustable opacity of the later one. */
export function OnionPane(props: PaneProps) {
  return (
    <Blended
      {...props}
      label="How strong the later capture is"
      style={(share) => ({ opacity: share / 100 })}
    />
  );
}

const beatMs = 700;

/** Alternates between both pictures; with reduced motion only by the buttons. */
export function BlinkPane(props: PaneProps) {
  const { before, after } = props;
  const [isLater, setLater] = useState(true);
  const [isBlinking, setBlinking] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  useEffect(() => {
    if (!isBlinking) return;
    const timer = setInterval(() => setLater((later) => !later), beatMs);
    return () => clearInterval(timer);
  }, [isBlinking]);
  const button =
    "rounded-control px-2 py-0.5 font-medium text-ink ring-1 ring-inset ring-line-strong hover:bg-hover";
  return (
    <Layers
      {...props}
      tools={
        <>
          <button type="button" className={button} onClick={() => setBlinking(!isBlinking)}>
            {isBlinking ? "Stop" : "Blink"}
          </button>
          <button type="button" className={button} onClick={() => setLater(!isLater)}>
            Swap
          </button>
          <span>{isLater ? after.label : before.label}</span>
        </>
      }
    >
      <Pair {...props} style={{ visibility: isLater ? "visible" : "hidden" }} />
    </Layers>
  );
}

/** Differences stand out brightly over a faint image of the page. */
export function DifferencePane(props: PaneProps) {
  const { after, bands, scale } = props;
  return (
    <Layers {...props} tools={<span>Bright areas changed.</span>}>
      <div className="absolute inset-0 bg-[black]" />
      <Sheet
        picture={after.picture}
        side="newY"
        bands={bands}
        scale={scale}
        className={`${top} opacity-20 grayscale`}
      />
      <div
        className="absolute inset-0 isolate brightness-200 [--gap:linear-gradient(black,black)]"
        style={{ mixBlendMode: "screen" }}
      >
        <Pair {...props} style={{ mixBlendMode: "difference" }} />
      </div>
    </Layers>
  );
}
