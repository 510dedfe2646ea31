import { type PointerEvent, useState } from "react";
import { axisTicks } from "#web/ui/charts/axis-ticks.ts";
import { exactTime, shortTime } from "#web/ui/time/relative-time.ts";
import { useWidth } from "#web/ui/use-width.ts";
import type { Series } from "./series-of.ts";
import { stepPath } from "./step-path.ts";

type Point = Series["points"][number];
const height = 176;
const edges = { top: 8, right: 12, bottom: 24, left: 60 };
const widthOfTimeLabel = 130;

/** A step chart of a value: a dot where it changed, a gap where it was missing. A table has the same data. */
export function ValueChart({ series: { points, least, most } }: { series: Series }) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [hovered, setHovered] = useState<Point>();
  const width = useWidth(element);
  const [begin, end] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const [low, high] = [least?.number ?? 0, most?.number ?? 0];
  // A value that never changed is drawn in the middle.
  const ticks = low === high ? [low - 1, low, low + 1] : axisTicks(low, high, 4);
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const inner = { width: width - edges.left - edges.right, height: height - edges.top - edges.bottom };
  const xOf = (at: number) => edges.left + (end === begin ? 0.5 : (at - begin) / (end - begin)) * inner.width;
  const yOf = (number: number) => edges.top + (1 - (number - bottom) / (top - bottom)) * inner.height;
  const times = timeLabels(begin, end, Math.floor(inner.width / widthOfTimeLabel));

  const findNearest = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setHovered(points.toSorted((a, b) => Math.abs(xOf(a.at) - x) - Math.abs(xOf(b.at) - x))[0]);
  };
  return (
    <div aria-hidden="true" className="relative" style={{ height }} ref={setElement}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          className="figures absolute text-xs"
          onPointerMove={findNearest}
          onPointerLeave={() => setHovered(undefined)}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                x1={edges.left}
                x2={width - edges.right}
                y1={yOf(tick)}
                y2={yOf(tick)}
                stroke="var(--color-line)"
              />
              <text x={edges.left - 8} y={yOf(tick)} dy="0.35em" textAnchor="end" fill="var(--color-muted)">
                {tick.toLocaleString(undefined, { maximumFractionDigits: 2 })}
              </text>
            </g>
          ))}
          {times.map(({ at, anchor }) => (
            <text key={at} x={xOf(at)} y={height - 6} textAnchor={anchor} fill="var(--color-muted)">
              {shortTime(at)}
            </text>
          ))}
          <path
            d={stepPath(points.map(({ at, number }) => (number === null ? null : [xOf(at), yOf(number)])))}
            fill="none"
            stroke="var(--color-accent-text)"
            strokeWidth={1.5}
          />
          {hovered && (
            <line
              x1={xOf(hovered.at)}
              x2={xOf(hovered.at)}
              y1={edges.top}
              y2={height - edges.bottom}
              stroke="var(--color-line-strong)"
            />
          )}
          {points.map(
            ({ id, at, number, isNew }) =>
              (isNew || points.length === 1) &&
              number !== null && (
                <circle
                  key={id}
                  cx={xOf(at)}
                  cy={yOf(number)}
                  r={3.5}
                  fill="var(--color-changed)"
                  stroke="var(--color-surface)"
                />
              ),
          )}
        </svg>
      )}
      {hovered && <Details point={hovered} x={xOf(hovered.at)} isLeft={xOf(hovered.at) > width / 2} />}
    </div>
  );
}

function Details({ point, x, isLeft }: { point: Point; x: number; isLeft: boolean }) {
  return (
    <div
      className="pointer-events-none absolute top-2 grid max-w-80 gap-0.5 rounded-control border border-line bg-raised px-3 py-2 text-sm whitespace-nowrap shadow-float"
      style={{ left: x, transform: isLeft ? "translateX(calc(-100% - 8px))" : "translateX(8px)" }}
    >
      <p className="figures truncate font-medium">{point.text ?? "missing"}</p>
      <p className="figures text-muted">{exactTime(point.at)}</p>
    </div>
  );
}

/** Evenly spaced times with as many labels as fit; the outer ones stay inside the chart. */
function timeLabels(begin: number, end: number, fitting: number) {
  if (begin === end) return [{ at: begin, anchor: "middle" as const }];
  const count = Math.min(Math.max(fitting, 2), 6);
  return Array.from({ length: count }, (_, i) => ({
    at: begin + ((end - begin) * i) / (count - 1),
    anchor: i === 0 ? ("start" as const) : i === count - 1 ? ("end" as const) : ("middle" as const),
  }));
}
