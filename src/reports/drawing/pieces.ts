import type { Severity } from "#contract/job.ts";
import { severities } from "#detection/severity/severity.ts";

/** Totals of a period. */
export type Figures = {
  checks: number;
  changes: number;
  failures: number;
  bySeverity: Record<Severity, number>;
  /** The longest time between two checks of one job. */
  silenceMs: number | null;
};
/** One bar of the chart. */
export type Step = { at: Date; fine: number; changed: number; failed: number };

/** How a followed value developed over the period. */
export type ValueSeries = {
  name: string;
  /** The last value; null if it was missing. */
  now: string | null;
  least: number | null;
  most: number | null;
  checks: number;
  changes: number;
  missing: number;
  /** `at` is the position within the period, from 0 to 1. */
  points: {
    at: number;
    number: number | null;
    least: number | null;
    most: number | null;
    isChanged: boolean;
  }[];
};

export type Overview = {
  title: string;
  note: string | null;
  logo: Uint8Array | null;
  from: Date;
  to: Date;
  madeAt: Date;
  figures: Figures;
  steps: Step[];
  /** What a language model says about the most severe changes, marked as its words; null without a second opinion. */
  opinion: string | null;
  /** Sentences that say what the report leaves out because of its limits. */
  limits: string[];
  /** Worst first, in the order of their chapters. */
  jobs: { name: string; url: string; figures: Figures; worst: string | null }[];
};
export type Chapter = {
  /** Counts from 1, in the order of the overview's jobs. */
  number: number;
  name: string;
  url: string;
  figures: Figures;
  steps: Step[];
  values: ValueSeries[];
  /** How many changes are shown in the chapter. */
  shown: number;
  /** Whether it is the report's only job, whose figures and chart are in the overview. */
  isOnly: boolean;
};
export type ChangeEntry = {
  index: number;
  at: Date;
  severity: Severity;
  summary: string;
  /** Changed lines, under what names the row that they are in; null if nothing does. */
  rows: { label: string | null; lines: { removed: string | null; added: string | null }[] }[];
  moreLines: number;
  /** Descriptions of the picture's marked locations, in the page's words. */
  places: string[];
  morePlaces: number;
  /** Headers that changed, and findings. */
  facts: string[];
  seal: string | null;
  link: string;
  /** JPEG with before and after. */
  picture: Uint8Array | null;
  /** Said above it: which limit of the report was reached here. */
  limit: string | null;
};
/** An entry of the appendix. */
export type Fingerprint = { job: string; index: number; at: Date; seal: string };

/** A report is drawn piece by piece, so that only one piece has to be in memory at a time. */
export type Piece =
  | ({ kind: "overview" } & Overview)
  | ({ kind: "chapter" } & Chapter)
  | ({ kind: "change" } & ChangeEntry)
  | { kind: "end" };

const severityOrder = severities.toReversed();

export const time = (date: Date) => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

export const count = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;

export function figuresLine({ checks, changes, failures }: Figures, jobs?: number): string {
  const all = [count(checks, "check"), count(changes, "change"), count(failures, "failure")];
  return [...(jobs === undefined ? [] : [count(jobs, "job")]), ...all].join(" · ");
}

/** How bad a job's period was. A level of 0 means that nothing changed and nothing failed. */
function rankOf({ checks, failures, bySeverity }: Figures): { level: number; changes: number } {
  const worst = 1 + severities.findLastIndex((severity) => bySeverity[severity] > 0);
  const failing = failures === 0 ? 0 : 2 * failures >= checks ? 1 + severities.indexOf("important") : 1;
  const changes = worst > 0 ? bySeverity[severities[worst - 1] ?? "info"] : 0;
  return worst >= failing ? { level: worst, changes } : { level: failing, changes: 0 };
}

/** Compares jobs for sorting, the worst first, as the next sentence says. */
export function compareWorst(a: Figures, b: Figures): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  const differences = [
    rankB.level - rankA.level,
    rankB.changes - rankA.changes,
    b.failures - a.failures,
    b.changes - a.changes,
  ];
  return differences.find((difference) => difference !== 0) ?? 0;
}

export const orderSentence =
  "Most severe first: by the most severe change, then by the number of changes of that severity, then by failed checks. A job that failed at least half of its checks counts as important.";

/** One sentence on all jobs. */
export function headline(figures: Figures, jobs: { figures: Figures }[]): string {
  if (jobs.length === 0) return "The jobs of this report no longer exist.";
  if (figures.checks === 0) return "There were no checks in this period.";
  const having = (test: (one: Figures) => boolean) => jobs.filter((job) => test(job.figures)).length;
  const parts = severityOrder.flatMap((severity) => {
    const number = having(({ bySeverity }) => bySeverity[severity] > 0);
    return number > 0 ? `${severity} changes on ${count(number, "job")}` : [];
  });
  const failing = having(({ failures }) => failures > 0);
  if (failing > 0) parts.push(`failed checks on ${count(failing, "job")}`);
  const quiet = having((one) => one.changes === 0 && one.failures === 0);
  if (parts.length === 0) return "Nothing changed, and no checks failed.";
  if (quiet > 0 && jobs.length > 1) parts.push(`${count(quiet, "job")} without any`);
  const words = `${parts.slice(0, -1).join(", ")}${parts.length > 1 ? " and " : ""}${parts.at(-1)}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Most severe change about a job, in the severity's word and a sentence. */
export function worstOf({ figures, worst }: Overview["jobs"][number]): {
  severity: Severity | null;
  words: string;
} {
  const severity = severityOrder.find((one) => figures.bySeverity[one] > 0) ?? null;
  if (severity && worst !== null) return { severity, words: worst };
  const { checks, failures } = figures;
  return {
    severity: null,
    words:
      checks === 0
        ? "not checked"
        : failures === checks
          ? "every check failed"
          : failures > 0
            ? "checks failed"
            : "no change",
  };
}

/** Says what a report of this many changes leaves out. */
export function limitsOf(changes: number, shown: number, maxChanges: number, maxPictures: number): string[] {
  const many = (number: number) => number.toLocaleString("en");
  return [
    ...(changes > shown
      ? [
          `A report shows at most ${many(maxChanges)} changes, so ${many(shown)} of ${many(changes)} are shown: the newest of each job. All figures count every change.`,
        ]
      : []),
    ...(shown > maxPictures
      ? [
          `Pictures are shown for the first ${maxPictures} changes that have one, in the order of this report.`,
        ]
      : []),
  ];
}

/** What comes before a job's changes: that there are none, or how many are left out. */
export function chapterSentence({ figures: { checks, changes, failures }, shown }: Chapter): string {
  if (checks === 0) return "There were no checks in this period.";
  if (changes === 0)
    return failures === 0 ? `${count(checks, "check")}, no change.` : "Nothing changed in this period.";
  const left = changes - shown;
  if (left <= 0) return "";
  return shown === 0
    ? `Its ${count(changes, "change")} ${changes === 1 ? "is" : "are"} not shown: the report reached its limit.`
    : `The newest ${count(shown, "change")} of ${changes} follow. The ${left} older ${left === 1 ? "one is" : "ones are"} not shown, because the report reached its limit.`;
}

export const fingerprintsSentence =
  "Each is the fingerprint (SHA-256) of one execution shown in this report. Compare it with the one in Watchglass or in an export of evidence.";

/** The summary for a manager: each figure with its name. */
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

/** Rounded down, so that it never shows 100 % unless that is exact. */
const percent = (part: number, all: number) => `${(Math.floor((part / all) * 10_000) / 100).toFixed(2)}%`;

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** The chart in words, for people who can't see it. */
export function describeChart(steps: Step[]): string {
  const sum = (key: "fine" | "changed" | "failed") => steps.reduce((all, step) => all + step[key], 0);
  return `Chart of checks over time: ${sum("fine")} without change, ${sum("changed")} with a change, ${sum("failed")} failed.`;
}

const figure = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 4 });

/** A followed value in words: what the chart shows, and all that is shown of a value that is not a number. */
export function describeValue({ now, least, most, checks, changes, missing }: ValueSeries): string {
  const parts = [
    `now ${now ?? "missing"}`,
    ...(least === null || most === null ? [] : [`min ${figure(least)}`, `max ${figure(most)}`]),
    changes === 0 ? "no change" : count(changes, "change"),
    ...(missing > 0 ? [`missing at ${missing} of ${count(checks, "check")}`] : []),
  ];
  return parts.join(" · ");
}

/** The labels of a value chart's upper and lower edge. */
export const valueLabels = ({ least, most }: ValueSeries) =>
  least === null || most === null ? null : { top: figure(most), bottom: least === most ? "" : figure(least) };

/** A value's chart: horizontal strokes from check to check, a gap where it was missing, a dot where it changed. */
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
/** A bar is nearly as wide as its step, but limited so that it doesn't become a block. */
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
