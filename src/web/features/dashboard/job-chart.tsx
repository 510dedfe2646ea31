import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useNarrow } from "#web/ui/use-narrow.ts";
import type { Row } from "./chart-pages.ts";
import { series } from "./series.ts";

const rowHeight = 34;

/** Stacked bars, one row a job; the table beside it says the same to those who cannot see it. */
export function JobChart({ rows }: { rows: Row[] }) {
  const isNarrow = useNarrow();
  return (
    <div aria-hidden="true" style={{ height: rows.length * rowHeight + 36 }}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={rows}
          layout="vertical"
          barSize={16}
          margin={{ left: 0, right: 16, top: 0, bottom: 0 }}
          accessibilityLayer={false}
        >
          <CartesianGrid horizontal={false} stroke="var(--color-line)" />
          <XAxis
            type="number"
            allowDecimals={false}
            stroke="var(--color-line-strong)"
            tick={{ fill: "var(--color-muted)", fontSize: 12 }}
            tickLine={false}
          />
          <YAxis
            type="category"
            dataKey="rank"
            width={isNarrow ? 112 : 168}
            interval={0}
            axisLine={false}
            tickLine={false}
            tick={({ x, y, index }: { x: number | string; y: number | string; index: number }) => (
              <text x={x} y={y} dy={4} textAnchor="end" fontSize={13} fill="var(--color-ink)">
                {shortName(rows[index]?.job_name ?? "", isNarrow ? 12 : 20)}
              </text>
            )}
          />
          <Tooltip cursor={{ fill: "var(--color-hover)" }} isAnimationActive={false} content={Details} />
          {series.map(({ key, color }) => (
            <Bar
              key={key}
              dataKey={key}
              stackId="job"
              fill={color}
              stroke="var(--color-surface)"
              strokeWidth={1}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function shortName(name: string, length: number): string {
  const characters = Array.from(name);
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join("")}…`;
}

function Details({ active, payload }: { active?: boolean; payload?: readonly { payload?: Row }[] }) {
  const row = payload?.[0]?.payload;
  if (!active || !row) return null;
  return (
    <div className="grid max-w-80 gap-1 rounded-control border border-line bg-raised px-3 py-2 text-sm shadow-float">
      <p className="font-medium">{row.job_name}</p>
      {series.map(({ key, label, color }) => (
        <p key={key} className="figures flex items-center gap-2 text-muted">
          <span className="size-2.5 rounded-sm" style={{ background: color }} />
          {label}
          <span className="ms-auto ps-4 text-ink">{row[key].toLocaleString()}</span>
        </p>
      ))}
    </div>
  );
}
