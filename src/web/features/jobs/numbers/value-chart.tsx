import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { exactTime, shortTime } from "#web/ui/relative-time.ts";
import type { Series } from "./series-of.ts";

const tick = { fill: "var(--color-muted)", fontSize: 12 };
type Point = Series["points"][number];

/** The line of a value, a dot where it changed, a gap where it was missing; the table beside it says the same. */
export function ValueChart({ series: { points, ...series } }: { series: Series }) {
  const [least, most] = [series.least?.number, series.most?.number];
  return (
    <div aria-hidden="true" className="h-44">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart
          data={points}
          margin={{ left: 0, right: 12, top: 8, bottom: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid vertical={false} stroke="var(--color-line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={["dataMin", "dataMax"]}
            tickFormatter={(at: number) => shortTime(at, "short")}
            minTickGap={48}
            stroke="var(--color-line-strong)"
            tick={tick}
            tickLine={false}
          />
          <YAxis
            // One value all the time stands in the middle.
            domain={least === most ? [(at: number) => at - 1, (at: number) => at + 1] : ["auto", "auto"]}
            width={56}
            axisLine={false}
            tickLine={false}
            tick={tick}
            tickFormatter={(value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 2 })}
          />
          <Tooltip
            cursor={{ stroke: "var(--color-line-strong)" }}
            isAnimationActive={false}
            content={Details}
          />
          <Line
            dataKey="number"
            type="stepAfter"
            stroke="var(--color-accent-text)"
            strokeWidth={1.5}
            dot={Mark}
            activeDot={{ r: 4, fill: "var(--color-accent-text)" }}
            connectNulls={false}
            isAnimationActive={false}
          />
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

type MarkProps = { cx?: number; cy?: number; index?: number; payload?: Point };

function Mark({ cx, cy, payload }: MarkProps) {
  if (!payload?.isNew || payload.number === null) return null;
  return (
    <circle
      cx={cx}
      cy={cy}
      r={3.5}
      fill="var(--color-changed)"
      stroke="var(--color-surface)"
      strokeWidth={1}
    />
  );
}

function Details({ active, payload }: { active?: boolean; payload?: readonly { payload?: Point }[] }) {
  const point = payload?.[0]?.payload;
  if (!active || !point) return null;
  return (
    <div className="grid max-w-80 gap-0.5 rounded-control border border-line bg-raised px-3 py-2 text-sm shadow-float">
      <p className="figures font-medium">{point.text ?? "missing"}</p>
      <p className="figures text-muted">{exactTime(point.at)}</p>
    </div>
  );
}
