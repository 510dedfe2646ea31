import { parse } from "csv-parse/sync";
import { parseDocument } from "htmlparser2";
import { type Draft, draft, isWebAddress, UnreadableFile } from "./draft.ts";

/** A list of addresses, one a line; what follows `#` is a remark. */
export function readUrlList(text: string): Draft[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter(Boolean)
    .map((line) => {
      const [url = "", ...name] = line.split(/\s+/);
      return draft({ url, name: name.join(" ") });
    });
}

const columns: Record<string, RegExp> = {
  url: /^(url|uri|address|link|page)$/i,
  name: /^(name|title|label)$/i,
  group: /^(group|tag|tags|folder|category)$/i,
  frequency: /^(frequency|minutes|interval|every)/i,
  selector: /^(selector|css|filter)$/i,
};

/** Rows with a heading; known are url, name, group, frequency (minutes) and selector. */
export function readCsv(text: string): Draft[] {
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: [",", ";", "\t"],
      max_record_size: 100_000,
    });
  } catch (error) {
    throw new UnreadableFile(`The CSV cannot be read: ${(error as Error).message}`);
  }
  const [head = [], ...body] = rows;
  const at = Object.fromEntries(
    Object.entries(columns).map(([name, pattern]) => [
      name,
      head.findIndex((cell) => pattern.test(cell.trim())),
    ]),
  );
  const hasHead = (at.url ?? -1) >= 0;
  const unknown = head.filter(
    (cell) => cell.trim() && !Object.values(columns).some((one) => one.test(cell.trim())),
  );
  const cellOf = (row: string[], name: string) => row[at[name] ?? -1]?.trim() ?? "";
  if (!hasHead) {
    if (!rows.every((row) => row.some(isWebAddress)))
      throw new UnreadableFile("The CSV has no column called url.");
    return rows.map((row) => {
      const url = row.find(isWebAddress) ?? "";
      return draft({ url, name: row.find((cell) => cell !== url) ?? "" });
    });
  }
  return body
    .filter((row) => cellOf(row, "url") !== "")
    .map((row) => {
      const minutes = Number.parseInt(cellOf(row, "frequency"), 10);
      return draft({
        url: cellOf(row, "url"),
        name: cellOf(row, "name"),
        group: cellOf(row, "group") || null,
        frequency: Number.isFinite(minutes) ? minutes : null,
        selector: cellOf(row, "selector") || null,
        left: unknown.map((cell) => `The column “${cell.trim().slice(0, 60)}” is not known.`),
      });
    });
}

type Node = { name?: string; attribs?: Record<string, string>; children?: Node[] };

/** Outlines with an address; those around them are groups. Of feeds the page is taken, else the feed itself. */
export function readOpml(text: string): Draft[] {
  const found: Draft[] = [];
  let isOpml = false;
  const walk = (node: Node, group: string | null, depth: number) => {
    if (depth > 50) throw new UnreadableFile("The outline is nested too deeply.");
    if (node.name?.toLowerCase() === "opml") isOpml = true;
    const attributes = Object.fromEntries(
      Object.entries(node.attribs ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const url = attributes.htmlurl || attributes.xmlurl || attributes.url;
    const title = attributes.text || attributes.title || "";
    const isOutline = node.name?.toLowerCase() === "outline";
    if (isOutline && url) found.push(draft({ url, name: title, group }));
    for (const child of node.children ?? [])
      walk(child, isOutline && !url && title ? title : group, depth + 1);
  };
  walk(parseDocument(text, { xmlMode: true }) as unknown as Node, null, 0);
  if (!isOpml) throw new UnreadableFile("This is not OPML.");
  return found;
}
