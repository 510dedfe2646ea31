import {
  addFigure,
  addText,
  type Document,
  type Element,
  fonts,
  hairline,
  indent,
  ink,
  keepTogether,
  margin,
  muted,
  width,
} from "./pdf-elements.ts";
import {
  barWidth,
  chartColors,
  chartNames,
  describeChart,
  describeValue,
  drawValue,
  lineColor,
  type Step,
  type ValueSeries,
  valueLabels,
} from "./pieces.ts";

const pictureWidth = 440;
// Height divided by width of the picture that `drawBeforeAfter` draws.
const pictureRatio = 376 / 984;
export const pictureHeight = pictureWidth * pictureRatio;
const valueHeight = 56;

/** What a chart of this height takes with its legend. */
export const chartHeight = (height: number) => height + 36;

/** Draws a list of names and values. */
export function drawFigures(doc: Document, sect: Element, rows: [string, string][]): void {
  const list = doc.struct("L");
  sect.add(list);
  for (const [name, value] of rows) {
    const item = doc.struct("LI");
    list.add(item);
    const top = doc.y;
    item.add(
      doc.struct("Lbl", {}, () => {
        doc.font(fonts.plain).fontSize(10).fillColor(muted).text(name, margin, top, { width: 190 });
      }),
    );
    item.add(
      doc.struct("LBody", {}, () => {
        doc
          .font(fonts.bold)
          .fontSize(10)
          .fillColor(ink)
          .text(value, margin + 200, top, { width: width - 200 });
      }),
    );
    item.end();
    doc.y += 3;
  }
  list.end();
}

/** Draws how many checks were fine, found a change or failed, as bars over time. */
export function drawChart(doc: Document, sect: Element, steps: Step[], height: number): void {
  const highest = Math.max(1, ...steps.map(({ fine, changed, failed }) => fine + changed + failed));
  if (steps.every(({ fine, changed, failed }) => fine + changed + failed === 0)) return;
  keepTogether(doc, chartHeight(height));
  doc.y += 12;
  addFigure(doc, sect, describeChart(steps), height + 24, () => {
    const top = doc.y;
    const step = width / steps.length;
    steps.forEach((one, at) => {
      let y = top + height;
      for (const part of ["fine", "changed", "failed"] as const) {
        const tall = (one[part] / highest) * height;
        if (tall === 0) continue;
        // A single failure among thousands of checks must stay visible.
        const shown = Math.max(tall, 1.2);
        y -= shown;
        doc.rect(margin + at * step, y, barWidth(step), shown).fill(chartColors[part]);
      }
    });
    doc
      .moveTo(margin, top + height)
      .lineTo(margin + width, top + height)
      .lineWidth(0.5)
      .stroke(hairline);
    doc.font(fonts.plain).fontSize(8).fillColor(muted);
    const [first, last] = [steps[0], steps.at(-1)];
    if (first) doc.text(first.at.toISOString().slice(0, 10), margin, top + height + 4, { lineBreak: false });
    if (last)
      doc.text(last.at.toISOString().slice(0, 10), margin + width - 60, top + height + 4, {
        width: 60,
        align: "right",
        lineBreak: false,
      });
    let x = margin + 150;
    for (const part of ["fine", "changed", "failed"] as const) {
      doc.rect(x, top + height + 5, 7, 7).fill(chartColors[part]);
      doc.fillColor(muted).text(chartNames[part], x + 11, top + height + 4, { lineBreak: false });
      x += 75;
    }
    doc.y = top + height + 22;
    doc.x = margin;
  });
}

/** Draws followed values, each with its course over time if it is a number. */
export function drawValues(doc: Document, sect: Element, values: ValueSeries[]): void {
  for (const value of values) {
    const edges = valueLabels(value);
    keepTogether(doc, edges ? valueHeight + 60 : 40);
    doc.y += 8;
    addText(doc, sect, "H2", value.name, { face: "bold", size: 10 });
    addText(doc, sect, "P", describeValue(value), { size: 8.5, color: muted });
    if (edges) drawValueChart(doc, sect, value, edges);
  }
  if (values.length > 0) doc.y += 6;
}

function drawValueChart(
  doc: Document,
  sect: Element,
  value: ValueSeries,
  edges: { top: string; bottom: string },
): void {
  const gutter = 56;
  const words = `Chart of ${value.name} over time: ${describeValue(value)}`;
  doc.moveDown(0.5);
  addFigure(doc, sect, words, valueHeight + 8, () => {
    const top = doc.y + 4;
    doc.font(fonts.plain).fontSize(7.5).fillColor(muted);
    const label = { width: gutter - 6, align: "right", lineBreak: false } as const;
    doc.text(edges.top, margin, top - 4, label);
    doc.text(edges.bottom, margin, top + valueHeight - 5, label);
    const { strokes, dots } = drawValue(value, width - gutter, valueHeight);
    const left = margin + gutter;
    const base = top + valueHeight + 3;
    doc
      .moveTo(left, base)
      .lineTo(margin + width, base)
      .lineWidth(0.5)
      .stroke(hairline);
    doc.lineWidth(1.2);
    for (const [x, y, toX, toY] of strokes) doc.moveTo(left + x, top + y).lineTo(left + toX, top + toY);
    if (strokes.length > 0) doc.stroke(lineColor);
    for (const [x, y] of dots) doc.circle(left + x, top + y, 2).fill(chartColors.changed);
    doc.y = base + 4;
    doc.x = margin;
  });
}

/** Draws the picture of a change, before and after. */
export function drawPicture(doc: Document, parent: Element, file: Buffer, summary: string): void {
  const height = pictureHeight;
  keepTogether(doc, height + 24);
  doc.y += 4;
  addFigure(doc, parent, `Before and after: ${summary}`, height + 12, () => {
    doc.font(fonts.plain).fontSize(7.5).fillColor(muted);
    const words = doc.y;
    doc.text("Before", margin + indent, words, { lineBreak: false });
    doc.text("After", margin + indent + pictureWidth / 2, words, { lineBreak: false });
    const top = words + 11;
    doc.image(file, margin + indent, top, { width: pictureWidth, height });
    doc.y = top + height + 4;
    doc.x = margin;
  });
}
