import type { Severity } from "#contract/job.ts";

/** What a time came to. */
export type Figures = {
  checks: number;
  changes: number;
  failures: number;
  bySeverity: Record<Severity, number>;
  /** The longest time between two checks of one job. */
  silenceMs: number | null;
};
/** A step of the chart. */
export type Step = { at: Date; fine: number; changed: number; failed: number };

/** How a followed value went over the time. */
export type ValueSeries = {
  name: string;
  /** What stood there last; null where it was missing. */
  now: string | null;
  least: number | null;
  most: number | null;
  checks: number;
  changes: number;
  missing: number;
  /** Each where it stands in the time, from 0 to 1. */
  points: {
    at: number;
    number: number | null;
    least: number | null;
    most: number | null;
    isChanged: boolean;
  }[];
};

export type Cover = {
  title: string;
  note: string | null;
  logo: Uint8Array | null;
  from: Date;
  to: Date;
  madeAt: Date;
  figures: Figures;
  steps: Step[];
  /** With their job's name, where there are several jobs. */
  values: ValueSeries[];
  /** How many stand with their jobs only. */
  moreValues: number;
  jobs: { name: string; url: string; figures: Figures }[];
};
export type Chapter = {
  /** Counts from 1, as the jobs of the cover do. */
  number: number;
  name: string;
  url: string;
  figures: Figures;
  steps: Step[];
  values: ValueSeries[];
  /** How many changes follow. */
  shown: number;
};
export type ChangeEntry = {
  index: number;
  at: Date;
  severity: Severity;
  summary: string;
  lines: { sign: string; text: string }[];
  moreLines: number;
  /** What the marked places of the picture are, in the page's words. */
  places: string[];
  headers: string[];
  findings: string[];
  seal: string | null;
  link: string;
  /** A JPEG of before and after. */
  picture: Uint8Array | null;
};

/** A report comes to who draws it piece by piece, so that none of it has to be in memory with another. */
export type Piece =
  | ({ kind: "cover" } & Cover)
  | ({ kind: "chapter" } & Chapter)
  | ({ kind: "change" } & ChangeEntry)
  | { kind: "end" };

const severityOrder: Severity[] = ["critical", "important", "notice", "info"];

export const time = (date: Date) => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const count = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;

export function figuresLine({ checks, changes, failures }: Figures, jobs?: number): string {
  const all = [count(checks, "check"), count(changes, "change"), count(failures, "failure")];
  return [...(jobs === undefined ? [] : [count(jobs, "job")]), ...all].join(" · ");
}

/** What a manager reads: each figure with its name. */
export function summaryOf(figures: Figures): [name: string, value: string][] {
  const { checks, failures, bySeverity, silenceMs } = figures;
  const grave = severityOrder.filter((severity) => bySeverity[severity] > 0);
  return [
    ["Checks", String(checks)],
    ["Changes", String(figures.changes)],
    ["By severity", grave.map((severity) => `${bySeverity[severity]} ${severity}`).join(", ") || "none"],
    [
      "Availability",
      checks === 0 ? "not checked" : `${percent(checks - failures, checks)} (${count(failures, "failure")})`,
    ],
    ["Longest time between checks", silenceMs === null ? "–" : duration(silenceMs)],
  ];
}

/** Never rounded up to all. */
const percent = (part: number, all: number) => `${(Math.floor((part / all) * 10_000) / 100).toFixed(2)} %`;

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** The chart in words, for who cannot see it. */
export function chartWords(steps: Step[]): string {
  const sum = (key: "fine" | "changed" | "failed") => steps.reduce((all, step) => all + step[key], 0);
  return `Chart of checks over time: ${sum("fine")} without change, ${sum("changed")} with a change, ${sum("failed")} failed.`;
}

const figure = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 4 });

/** A followed value in words: what a reader of the chart sees, and all there is of one that is no number. */
export function valueWords({ now, least, most, checks, changes, missing }: ValueSeries): string {
  const parts = [
    `now ${now ?? "missing"}`,
    ...(least === null || most === null ? [] : [`min ${figure(least)}`, `max ${figure(most)}`]),
    changes === 0 ? "no change" : count(changes, "change"),
    ...(missing > 0 ? [`missing at ${missing} of ${count(checks, "check")}`] : []),
  ];
  return parts.join(" · ");
}

/** The edges of a value's chart, in words. */
export const valueEdges = ({ least, most }: ValueSeries) =>
  least === null || most === null ? null : { top: figure(most), bottom: least === most ? "" : figure(least) };

/** A value's chart as strokes and dots: level from check to check, a gap where it was missing, a dot where it changed. */
export function drawValue({ points, least, most }: ValueSeries, width: number, height: number) {
  const [low, high] = [least ?? 0, most ?? 0];
  const y = (value: number) => (high === low ? 0 : height - ((value - low) / (high - low)) * height);
  const strokes: [x: number, y: number, toX: number, toY: number][] = [];
  const dots: [x: number, y: number][] = [];
  points.forEach((point, at) => {
    const x = point.at * width;
    const next = points[at + 1];
    if (point.least !== null && point.most !== null && point.least !== point.most)
      strokes.push([x, y(point.least), x, y(point.most)]);
    if (point.number === null) return;
    const level = y(point.number);
    const end = next ? next.at * width : Math.min(width, x + 4);
    strokes.push([x, level, end, level]);
    if (next && next.number !== null) strokes.push([end, level, end, y(next.number)]);
    if (point.isChanged) dots.push([x, level]);
  });
  return { strokes, dots };
}

export const lineColor = "#006a78";
/** As wide as its step, but no block. */
export const barWidth = (step: number) => Math.min(Math.max(step - 1, 0.8), 40);

export const chartColors = { fine: "#a9b8c2", changed: "#b57a14", failed: "#b3261e" } as const;
export const chartNames = { fine: "no change", changed: "change", failed: "failed" } as const;
export const edges: Record<Severity, string> = {
  critical: "#b3261e",
  important: "#94600a",
  notice: "#1f5fa8",
  info: "#5b6873",
};
export const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300).toWellFormed()} …` : text);
