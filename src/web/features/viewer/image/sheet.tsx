import type { CSSProperties } from "react";
import type { Box, ComparedArea, Region } from "#detection/verdict/verdict.ts";
import { cx } from "#web/ui/cx.ts";
import { type Band, sheetHeight, toSheet } from "./align.ts";
import type { Picture } from "./use-picture.ts";

const gap =
  "var(--gap, repeating-linear-gradient(135deg, var(--slate-4) 0 6px, var(--slate-6) 6px 7px, var(--slate-4) 7px 12px))";

type SheetProps = {
  picture: Picture;
  side: "oldY" | "newY";
  bands: readonly Band[];
  scale: number;
  className?: string;
  style?: CSSProperties;
};

/** One picture, its rows aligned with the other's; gaps are hatched. */
export function Sheet({ picture, side, bands, scale, className, style }: SheetProps) {
  return (
    <div
      className={cx("relative bg-white", className)}
      style={{ width: picture.width * scale, height: sheetHeight(bands) * scale, ...style }}
    >
      {bands.map((band) => {
        const y = band[side];
        return (
          <div
            key={band.at}
            className="absolute inset-x-0"
            style={{
              top: band.at * scale,
              height: band.height * scale,
              ...(y === null
                ? { backgroundImage: gap }
                : {
                    backgroundImage: `url("${picture.src}")`,
                    backgroundSize: `${picture.width * scale}px ${picture.height * scale}px`,
                    backgroundPosition: `0 ${-y * scale}px`,
                    backgroundRepeat: "no-repeat",
                  }),
            }}
          />
        );
      })}
    </div>
  );
}

const looks: Record<
  Region["kind"],
  { sign: string; word: string; line: string; label: string; tint: string }
> = {
  added: { sign: "+", word: "added", line: "border-added", label: "bg-added", tint: "before:bg-added" },
  removed: {
    sign: "−",
    word: "removed",
    line: "border-removed",
    label: "bg-removed",
    tint: "before:bg-removed",
  },
  changed: {
    sign: "~",
    word: "changed",
    line: "border-changed",
    label: "bg-changed",
    tint: "before:bg-changed",
  },
  moved: { sign: "→", word: "moved", line: "border-moved", label: "bg-moved", tint: "before:bg-moved" },
};

/** In pixels on the screen: what is not higher is a line of text, which a frame would cover. */
const highestLine = 40;

/** Width of the column beside a picture that has the signs. */
export const gutter = 20;
const signSize = 16;

type OutlinesProps = {
  regions: readonly Region[];
  side: "oldY" | "newY" | "both";
  bands: readonly Band[];
  scale: number;
  current: number;
  noise: readonly Region[];
  onPick: (region: number) => void;
};

/** Marks the verdict's regions: lines of text as with a marker, the others by a frame. Noise regions are dotted. */
export function Outlines({ regions, noise, side, bands, scale, current, onPick }: OutlinesProps) {
  return [...regions, ...noise].map((region, i) => {
    const place = placeOf(region, side, bands);
    if (!place) return null;
    const isNoise = i >= regions.length;
    const { word, line, tint } = looks[region.kind];
    const height = place.height * scale;
    const isLine = height <= highestLine;
    const isCurrent = i === current;
    // In pixels: how far a frame is outside of its region, and what the underline takes below a line.
    const frame = isLine ? 0 : 2;
    const underline = isCurrent ? 5 : 3;
    return (
      <button
        type="button"
        // Not a tab stop: the keys 'n' and 'p' step through the regions.
        tabIndex={-1}
        aria-label={`${region.says ?? word}${isNoise ? ", ignored as noise" : ""}`}
        title={region.says ?? word}
        onClick={() => onPick(i)}
        // The same region may be rendered once on each side.
        key={`${i}-${region.kind}`}
        {...(isNoise ? { "data-noise": i - regions.length } : { "data-region": i })}
        className={cx(
          "absolute cursor-pointer",
          isLine ? "border-b-2 before:absolute before:inset-0" : "rounded-[2px] border-2",
          isNoise ? "border-dotted border-quiet" : line,
          isLine &&
            !isNoise &&
            (isCurrent ? "before:bg-accent before:opacity-45" : cx(tint, "before:opacity-20")),
          isCurrent && (isLine ? "border-b-4" : "outline-3 outline-offset-1 outline-accent"),
        )}
        style={{
          left: place.x * scale - frame,
          top: place.y * scale - frame,
          width: Math.max(place.width * scale + 2 * frame, 8),
          height: height + (isLine ? underline : 2 * frame),
        }}
      />
    );
  });
}

type Sign = { kind: Region["kind"]; i: number; top: number; height: number };

/** Places a sign next to each region that this side has; those of regions next to each other go below each other. */
function placeSigns(
  regions: readonly Region[],
  side: "oldY" | "newY" | "both",
  bands: readonly Band[],
  scale: number,
): Sign[] {
  const wanted = regions.flatMap((region, i) => {
    const place = placeOf(region, side, bands);
    const height = Math.max((place?.height ?? 0) * scale + 4, signSize);
    return place ? [{ kind: region.kind, i, top: place.y * scale - 2, height }] : [];
  });
  const signs: Sign[] = [];
  for (const sign of wanted.toSorted((a, b) => a.top - b.top)) {
    const above = signs.at(-1);
    signs.push({ ...sign, top: Math.max(sign.top, above ? above.top + signSize + 1 : 0) });
  }
  return signs;
}

/**
 * The column of signs beside a picture, where they cover nothing: a sign and a bar per region. It stays in view when the
 * picture is scrolled sideways.
 */
export function Signs(props: Pick<OutlinesProps, "regions" | "side" | "bands" | "scale" | "current">) {
  const { regions, side, bands, scale, current } = props;
  const signs = placeSigns(regions, side, bands, scale);
  return (
    <div aria-hidden="true" className="sticky start-0 z-20 shrink-0 bg-sunken" style={{ width: gutter }}>
      {signs.map(({ kind, i, top, height }) => {
        const { sign, line, label } = looks[kind];
        return (
          <div
            key={i}
            data-sign={i}
            className={cx("absolute inset-x-0 border-e-3", line)}
            style={{ top, height }}
          >
            <span
              className={cx(
                "grid place-items-center rounded-s-sm font-mono text-xs leading-none font-semibold text-surface",
                label,
                i === current && "outline-2 outline-accent",
              )}
              style={{ height: signSize }}
            >
              {sign}
            </span>
          </div>
        );
      })}
    </div>
  );
}

type ShadeProps = {
  comparedArea: ComparedArea | null;
  picture: Picture;
  side: "oldY" | "newY";
  bands: readonly Band[];
  scale: number;
};

/** Shades what the job's rules exclude. It lies on a screenshot, so it looks the same in light and dark mode. */
export function Shade({ comparedArea, picture, side, bands, scale }: ShadeProps) {
  if (!comparedArea || (comparedArea.only === null && comparedArea.hidden.length === 0)) return null;
  const height = sheetHeight(bands);
  const path = ({ x, y, width: across, height: down }: Box) => {
    const top = toSheet(bands, side, y);
    const bottom = toSheet(bands, side, y + Math.max(1, down) - 1) + 1;
    return `M${x} ${top}H${x + across}V${bottom}H${x}Z`;
  };
  return (
    <svg
      aria-hidden="true"
      data-shade=""
      className="pointer-events-none absolute inset-0 fill-[oklch(0.35_0.02_225/0.45)]"
      width={picture.width * scale}
      height={height * scale}
      viewBox={`0 0 ${picture.width} ${height}`}
      preserveAspectRatio="none"
    >
      {comparedArea.only && (
        <path
          fillRule="evenodd"
          d={[`M0 0H${picture.width}V${height}H0Z`, ...comparedArea.only.map(path)].join("")}
        />
      )}
      <path d={comparedArea.hidden.map(path).join("")} />
    </svg>
  );
}

/** Returns a region's box on the sheet; null if this side does not have it. */
export function placeOf(region: Region, side: "oldY" | "newY" | "both", bands: readonly Band[]) {
  const useOld = side === "oldY" || (side === "both" && !region.new);
  const box = useOld ? region.old : region.new;
  return box && { ...box, y: toSheet(bands, useOld ? "oldY" : "newY", box.y) };
}
