import {
  bottom,
  type Document,
  drawWords,
  type Element,
  fitLine,
  hairline,
  ink,
  linkOptions,
  margin,
  muted,
  printable,
  type TextStyle,
  width,
  widthOf,
} from "./pdf-elements.ts";

export type Column = Pick<TextStyle, "face" | "size"> & {
  name: string;
  width: number;
  isNumber?: true;
  /** Space on its left. */
  left?: number;
};
/** `job`: the number of the job that the text leads to. */
type Cell = { text: string; color?: string; job?: number };

export const rowHeight = 15.5;
const textSize = 8.5;
const gap = 6;

/** Draws a table whose rows are one line each. It continues on further pages, with its head on each. */
export function addTable(doc: Document, parent: Element, columns: Column[], rows: Cell[][]): void {
  const table = doc.struct("Table");
  parent.add(table);
  const head = columns.map(({ name }) => ({ text: name, color: muted }));
  const drawHead = () => drawRow(doc, table, columns, head, true);
  drawHead();
  for (const row of rows) {
    if (doc.y + rowHeight > bottom) {
      doc.addPage();
      drawHead();
    }
    drawRow(doc, table, columns, row, false);
  }
  table.end();
}

function drawRow(doc: Document, table: Element, columns: Column[], cells: Cell[], isHead: boolean): void {
  const row = doc.struct("TR");
  table.add(row);
  const top = doc.y;
  let x = margin;
  columns.forEach((column, at) => {
    const { text = "", color = ink, job } = cells[at] ?? {};
    const style = isHead ? { size: 8 } : { size: column.size ?? textSize, face: column.face ?? "plain" };
    const box = { x: x + (column.left ?? 0), width: column.width - (column.left ?? 0) - gap };
    const words = fitLine(doc, text, style, box.width);
    const draw = () => {
      doc.fillColor(color);
      const start = column.isNumber ? box.x + box.width - widthOf(doc, words, style) : box.x;
      drawWords(doc, words, style, { x: start, y: top + 2 }, { lineBreak: false });
    };
    // `Scope` ties a column's cells to its head, as PDF/UA requires; it is missing from the types.
    const scope = isHead ? ({ scope: "Column" } as object) : {};
    const cell = doc.struct(isHead ? "TH" : "TD", scope);
    row.add(cell);
    if (job === undefined) cell.add(doc.struct("P", {}, draw));
    else cell.add(linkTo(doc, `job-${job}`, printable(text), { ...box, y: top }, draw));
    cell.end();
    x += column.width;
  });
  row.end();
  doc.markContent("Artifact", { type: "Layout" });
  doc.rect(margin, top + rowHeight - 1, width, 0.4).fill(hairline);
  doc.endMarkedContent();
  doc.x = margin;
  doc.y = top + rowHeight;
}

/** A link within the report. */
export function linkTo(
  doc: Document,
  target: string,
  description: string,
  box: { x: number; y: number; width: number },
  draw: () => void,
): Element {
  const link = doc.struct("Link", {}, () => {
    draw();
    doc.goTo(box.x, box.y, box.width, rowHeight - 2, target, linkOptions(link, description));
  });
  return link;
}
