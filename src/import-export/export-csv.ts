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

/** The header line: the fixed columns, from which archive an execution was imported, and each followed value. */
export function csvHead(names: string[]): string {
  return `${[...columns, "importedAt", "importedFrom", ...names.map((name) => `value.${name}`)].join(",")}\r\n`;
}

export function csvLine(execution: Execution, names: string[]): string {
  const values = names.map((name) => execution.values?.[name]);
  const cells = [
    ...columns.map((column) => execution[column]),
    execution.imported?.at ?? null,
    execution.imported?.archive ?? null,
    ...values.map((value) => value?.number ?? value?.text ?? null),
  ];
  return `${cells.map(csvCell).join(",")}\r\n`;
}

// What spreadsheets take for the start of a formula, including the full-width forms of East Asian keyboards.
const formula = /^\s*[=+\-@\t\r\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}]/u;

/** Writes a cell that no spreadsheet runs as a formula: text from a page stays text, whatever it begins with. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}
