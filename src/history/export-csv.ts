import type { Execution } from "#contract/job.ts";

const columns = [
  "index",
  "id",
  "createdAt",
  "status_code",
  "changed",
  "similarity",
  "severity",
  "summary",
  "error",
  "truncated",
  "durationMs",
] as const satisfies (keyof Execution)[];

export const csvHead = `${columns.join(",")}\r\n`;

export function csvLine(execution: Execution): string {
  return `${columns.map((column) => csvCell(execution[column])).join(",")}\r\n`;
}

// What a spreadsheet takes for the start of a formula, the wide forms of East Asian keyboards included.
const formula = /^\s*[=+\-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]/u;

/** A cell that no spreadsheet runs: text from a page is text, whatever it begins with. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}
