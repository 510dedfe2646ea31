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
  "untold",
] as const satisfies (keyof Execution)[];

/** The columns, and one for each value that the job follows. */
export function csvHead(names: string[]): string {
  return `${[...columns, ...names.map((name) => `value.${name}`)].join(",")}\r\n`;
}

export function csvLine(execution: Execution, names: string[]): string {
  const values = names.map((name) => execution.values?.[name]);
  const cells = [
    ...columns.map((column) => execution[column]),
    ...values.map((value) => value?.number ?? value?.text ?? null),
  ];
  return `${cells.map(csvCell).join(",")}\r\n`;
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
