import {
  addText,
  bottom,
  type Document,
  drawWords,
  type Element,
  fitLine,
  fonts,
  ink,
  margin,
  muted,
  width,
} from "./pdf-elements.ts";
import { linkTo } from "./pdf-table.ts";
import { count, type Overview } from "./pieces.ts";

/** The contents at the front, whose page numbers are drawn last: only then are they known. */
export type Contents = {
  element: Element;
  entries: string[];
  places: { page: number; x: number; y: number; width: number }[];
  /** The page of each entry. */
  pages: number[];
  /** Notes that an entry begins on the current page. */
  note(entry: number): void;
};

const pitch = 16;
// More entries than this are in two columns.
const oneColumn = 16;
const columnGap = 24;

export function drawContentsHeading(doc: Document, root: Element): Element {
  const sect = doc.struct("Sect");
  root.add(sect);
  doc.y += 18;
  doc.outline.addItem("Contents");
  addText(doc, sect, "H1", "Contents", { face: "bold", size: 15 });
  doc.y += 4;
  return sect;
}

/** Leaves room for the entries: on the page of the title, and if they are many on as many more as they need. */
export function reserveContents(doc: Document, sect: Element, entries: string[]): Contents {
  const element = doc.struct("TOC");
  sect.add(element);
  const columns = entries.length > oneColumn ? 2 : 1;
  const columnWidth = (width - (columns - 1) * columnGap) / columns;
  const places: Contents["places"] = [];
  const rowsIn = (top: number) => Math.floor((bottom - top) / pitch);
  // A long note leaves little room below the title.
  if (rowsIn(doc.y) * columns < Math.min(entries.length, 4)) doc.addPage();
  while (places.length < entries.length) {
    const left = entries.length - places.length;
    // Even pages: the last one isn't left with a few entries.
    const pagesLeft = Math.max(
      1,
      Math.ceil((left - rowsIn(doc.y) * columns) / (rowsIn(margin) * columns)) + 1,
    );
    const rows = Math.min(
      rowsIn(doc.y),
      Math.ceil(left / columns / (left > rowsIn(doc.y) * columns ? pagesLeft : 1)),
    );
    const page = doc.bufferedPageRange().count - 1;
    for (let at = 0; at < Math.min(left, rows * columns); at++)
      places.push({
        page,
        x: margin + Math.floor(at / rows) * (columnWidth + columnGap),
        y: doc.y + (at % rows) * pitch,
        width: columnWidth,
      });
    if (places.length < entries.length) doc.addPage();
    else doc.y += rows * pitch;
  }
  const pages: number[] = [];
  return {
    element,
    entries,
    places,
    pages,
    note: (entry) => void (pages[entry] = doc.bufferedPageRange().count),
  };
}

export function fillContents(doc: Document, contents: Contents, jobs: Overview["jobs"]): void {
  contents.entries.forEach((entry, at) => {
    const place = contents.places[at];
    if (!place) return;
    doc.switchToPage(place.page);
    const { x, y, width: most } = place;
    const number = String(contents.pages[at] ?? "");
    const job = jobs[at - 1];
    const facts = job ? count(job.figures.changes, "change") : "";
    const style = { size: 9.5 };
    const item = doc.struct("TOCI");
    contents.element.add(item);
    const reference = doc.struct("Reference");
    item.add(reference);
    const target = at === 0 ? "what-matters" : job ? `job-${at}` : "fingerprints";
    const nameWidth = most - 100;
    reference.add(
      linkTo(doc, target, `${entry}, page ${number}`, { x, y, width: nameWidth }, () => {
        doc.fillColor(ink);
        drawWords(doc, fitLine(doc, entry, style, nameWidth), style, { x, y }, { lineBreak: false });
      }),
    );
    reference.end();
    item.add(
      doc.struct("P", {}, () => {
        doc.font(fonts.plain).fontSize(8.5).fillColor(muted);
        const right = (text: string, edge: number) =>
          doc.text(text, edge - doc.widthOfString(text), y + 1, { lineBreak: false });
        right(facts, x + most - 28);
        right(number, x + most);
      }),
    );
    item.end();
  });
  contents.element.end();
}
