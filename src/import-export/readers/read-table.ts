import { parse } from "csv-parse/sync";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { assertCount, type Draft, draft, isWebAddress, refuseLarge, shorten } from "./draft.ts";

/** Many times what the largest real tables contain besides their addresses. */
export const tableLimits = { rows: 20_000, columns: 100, row: 100_000 };
const numbers = new Intl.NumberFormat("en");

const columns = {
  url: /^(url|uri|address|link|page)$/i,
  name: /^(name|title|label)$/i,
  group: /^(group|tag|tags|folder|category)$/i,
  frequency: /^(frequency|minutes|interval|every)/i,
  selector: /^(selector|css|filter)$/i,
  /** Wachete's: several expressions with `||` between them. */
  xpath: /^xpath$/i,
};
type Column = keyof typeof columns;
/** Columns of Wachete that decide what is decided here by the page itself. */
const unneeded = /^dynamic wachet$/i;

/** Reads rows with a header line, of a CSV or a spreadsheet. Without one, every row must contain an address. */
export function readTable([head = [], ...body]: string[][], what: "CSV" | "sheet"): Draft[] {
  const at = new Map(
    Object.entries(columns).map(([name, pattern]) => [
      name,
      head.findIndex((cell) => pattern.test(cell.trim())),
    ]),
  );
  const cellOf = (row: string[], name: Column) => row[at.get(name) ?? -1]?.trim() ?? "";
  if ((at.get("url") ?? -1) < 0) {
    const rows = [head, ...body];
    if (!rows.every((row) => row.some(isWebAddress)))
      throw new UnreadableFile(`The ${what} has no column called url.`);
    assertCount(rows.length);
    return rows.map((row) => {
      const url = row.find(isWebAddress) ?? "";
      return draft({ url, name: row.find((cell) => cell !== "" && cell !== url) ?? "" });
    });
  }
  const isKnown = (cell: string) =>
    unneeded.test(cell) || Object.values(columns).some((pattern) => pattern.test(cell));
  const left = head
    .map((cell) => cell.trim())
    .filter((cell) => cell && !isKnown(cell))
    .map((cell) => `The column “${shorten(cell, 60)}” is not known.`);
  const filled = body.filter((row) => cellOf(row, "url") !== "");
  assertCount(filled.length);
  return filled.map((row) => {
    const minutes = cellOf(row, "frequency");
    const isMinutes = minutes === "" || (/^\d{1,9}$/.test(minutes) && Number(minutes) > 0);
    return draft({
      url: cellOf(row, "url"),
      name: cellOf(row, "name"),
      group: cellOf(row, "group") || null,
      frequency: minutes !== "" && isMinutes ? Number(minutes) : null,
      problem: isMinutes
        ? null
        : `The frequency “${shorten(minutes, 60)}” is not a whole number of minutes, from 1.`,
      selector: cellOf(row, "selector") || toXPaths(cellOf(row, "xpath")) || null,
      left,
    });
  });
}

const toXPaths = (cell: string) =>
  cell
    .split("||")
    .map((path) => path.trim())
    .filter(Boolean)
    .map((path) => `xpath:${path}`)
    .join("\n");

/** Reads rows of values with commas, semicolons or tabs between them. */
export function readCsv(text: string): Draft[] {
  return readTable(parseCsv(text), "CSV");
}

function parseCsv(text: string): string[][] {
  let count = 0;
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: [",", ";", "\t"],
      max_record_size: tableLimits.row,
      on_record(row: string[]) {
        if (row.length > tableLimits.columns)
          refuseLarge(
            `The CSV has ${numbers.format(row.length)} columns; at most ${tableLimits.columns} are read.`,
          );
        if (++count > tableLimits.rows)
          refuseLarge(`The CSV has more than ${numbers.format(tableLimits.rows)} rows.`);
        return row;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    if ((error as { code?: unknown }).code === "CSV_MAX_RECORD_SIZE")
      throw new UnreadableFile(
        `A row of the CSV is longer than ${numbers.format(tableLimits.row)} characters, or a quotation mark in it is not closed.`,
      );
    throw new UnreadableFile(`The CSV cannot be read: ${(error as Error).message}`);
  }
}
