import { UnreadableFile } from "#contract/unreadable-file.ts";
import { type Draft, isWebAddress, refuseLarge, shorten } from "./draft.ts";
import { readTable, tableLimits } from "./read-table.ts";
import { readXml } from "./read-xml.ts";

/** Reads a file of the spreadsheet by its name; undefined if there is none. */
export type ReadPart = (name: string) => Promise<string | undefined>;

export const workbookPart = "xl/workbook.xml";
/** In characters; a job takes less of any cell. */
const longestCell = 5_000;
const numbers = new Intl.NumberFormat("en");

/** Reads the first sheet of an Excel workbook (.xlsx) as a table. */
export async function readSpreadsheet(read: ReadPart): Promise<{ drafts: Draft[]; channels: string[] }> {
  const sheets = readSheetNames((await read(workbookPart)) ?? "");
  const [first] = sheets;
  if (!first) throw new UnreadableFile("The spreadsheet has no sheets.");
  const parts = readRelations((await read("xl/_rels/workbook.xml.rels")) ?? "");
  const part = pathOf(parts.get(first.relation) ?? "worksheets/sheet1.xml");
  const sheet = await read(part);
  if (sheet === undefined)
    throw new UnreadableFile("The spreadsheet is incomplete: its first sheet is missing.");
  const texts = readTexts((await read("xl/sharedStrings.xml")) ?? "");
  const links = readRelations((await read(part.replace(/(?<![^/])[^/]+$/, "_rels/$&.rels"))) ?? "");
  const rows = readRows(sheet, texts, links);
  return {
    drafts: readTable(rows, "sheet"),
    channels: sheets.length > 1 ? [`Only the first sheet, “${shorten(first.name, 60)}”, is read.`] : [],
  };
}

/** Names may have a prefix for their namespace. */
const localName = (name: string) => name.slice(name.indexOf(":") + 1);
const attributeOf = (attributes: Record<string, string>, local: string) =>
  Object.entries(attributes).find(([name]) => localName(name) === local)?.[1];

/** Targets are relative to `xl/`, or begin at the root of the ZIP. */
const pathOf = (target: string) => (target.startsWith("/") ? target.slice(1) : `xl/${target}`);

/** The visible sheets in the order of their tabs. */
function readSheetNames(xml: string): { name: string; relation: string }[] {
  const sheets: { name: string; relation: string }[] = [];
  readXml(xml, "sheet", {
    onOpen(name, { name: title = "", state = "visible", ...attributes }) {
      const relation = Object.entries(attributes).find(([key]) => /:id$/i.test(key))?.[1];
      if (localName(name) === "sheet" && state === "visible" && relation)
        sheets.push({ name: title, relation });
    },
    onClose: () => undefined,
  });
  return sheets;
}

/** Targets by their ids. */
function readRelations(xml: string): Map<string, string> {
  const targets = new Map<string, string>();
  readXml(xml, "sheet", {
    onOpen(name, { Id: id, Target: target }) {
      if (localName(name) === "Relationship" && id && target) targets.set(id, target);
    },
    onClose: () => undefined,
  });
  return targets;
}

/** The texts that cells refer to by their number. */
function readTexts(xml: string): string[] {
  const texts: string[] = [];
  const text = collectText();
  readXml(xml, "sheet", {
    onOpen(name) {
      text.open(localName(name));
    },
    onText: (part) => text.add(part),
    onClose(name) {
      if (localName(name) === "si") texts.push(text.take());
      text.close(localName(name));
    },
  });
  return texts;
}

/** Collects the text of `t` and `v` elements, without the pronunciation of Japanese words. */
function collectText() {
  let collected = "";
  let isText = false;
  let isSpoken = false;
  return {
    open(name: string) {
      if (name === "rPh") isSpoken = true;
      isText = (name === "t" || name === "v") && !isSpoken;
    },
    add(text: string) {
      if (isText && collected.length < longestCell) collected += text.slice(0, longestCell);
    },
    close(name: string) {
      if (name === "rPh") isSpoken = false;
      isText = false;
    },
    take() {
      const taken = collected;
      collected = "";
      return taken;
    },
  };
}

type Cell = { row: number; column: number; type: string };

/** The filled rows; a cell with a link but another text shows the link. */
function readRows(xml: string, texts: string[], targets: Map<string, string>): string[][] {
  const rows = new Map<number, string[]>();
  const text = collectText();
  let cell: Cell = { row: 0, column: -1, type: "" };
  const put = ({ row, column }: Pick<Cell, "row" | "column">, value: string) => {
    if (column >= tableLimits.columns) refuseLarge(`The sheet has more than ${tableLimits.columns} columns.`);
    const cells = rows.get(row) ?? [];
    while (cells.length < column) cells.push("");
    cells[column] = value;
    rows.set(row, cells);
    if (rows.size > tableLimits.rows)
      refuseLarge(`The sheet has more than ${numbers.format(tableLimits.rows)} rows.`);
  };
  readXml(xml, "sheet", {
    onOpen(given, attributes) {
      const name = localName(given);
      text.open(name);
      if (name === "row") cell = { row: Number(attributes.r) || cell.row + 1, column: -1, type: "" };
      if (name === "c") {
        text.take();
        const place = placeOf(attributes.r) ?? { row: cell.row, column: cell.column + 1 };
        cell = { ...place, type: attributes.t ?? "n" };
      }
      const link = name === "hyperlink" && targets.get(attributeOf(attributes, "id") ?? "");
      const linked = link ? placeOf(attributes.ref) : undefined;
      if (link && linked && isWebAddress(link) && !isWebAddress(rows.get(linked.row)?.[linked.column] ?? ""))
        put(linked, link.slice(0, longestCell));
    },
    onText: (part) => text.add(part),
    onClose(given) {
      const name = localName(given);
      if (name === "c") {
        const value = toText(cell.type, text.take(), texts);
        if (value !== "") put(cell, value);
      }
      text.close(name);
    },
  });
  return [...rows].toSorted(([a], [b]) => a - b).map(([, cells]) => cells);
}

function toText(type: string, stored: string, texts: string[]): string {
  if (stored === "" || type === "e") return "";
  if (type === "s") return texts[Number(stored)] ?? "";
  if (type === "b") return stored === "1" ? "TRUE" : "FALSE";
  return type === "n" && Number.isFinite(Number(stored)) ? String(Number(stored)) : stored;
}

/** "B12" is column 1 of row 12. */
function placeOf(reference = ""): { row: number; column: number } | undefined {
  const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})/i.exec(reference) ?? [];
  if (!letters || !row) return undefined;
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row), column: column - 1 };
}
