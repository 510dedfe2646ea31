import { createWriteStream } from "node:fs";
import { createRequire } from "node:module";
import { finished } from "node:stream/promises";
import PDFDocument from "pdfkit";
import {
  barWidth,
  type ChangeEntry,
  type Chapter,
  type Cover,
  chartColors,
  chartNames,
  chartWords,
  cut,
  drawValue,
  edges,
  figuresLine,
  lineColor,
  type Piece,
  type Step,
  summaryOf,
  time,
  type ValueSeries,
  valueEdges,
  valueWords,
} from "./pieces.ts";

const find = createRequire(import.meta.url).resolve;
const fonts = {
  plain: find("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: find("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  code: find("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"),
  // DejaVu has no Chinese, Japanese or Korean.
  far: find("@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf"),
};
type Face = keyof Omit<typeof fonts, "far">;
type Words = { face?: Face; size?: number; color?: string; left?: number };
type Element = PDFKit.PDFStructureElement;

const ink = "#1c2730";
const muted = "#5b6873";
const hairline = "#d5dbe0";
const accent = lineColor;
const margin = 48;
const pageWidth = 595.28;
const width = pageWidth - 2 * margin;
const indent = 12;
const bottom = 841.89 - margin - 10;
const pictureWidth = 440;
// Of what `drawBeforeAfter` draws.
const pictureRatio = 376 / 984;
const entriesPerPage = 34;
const valueHeight = 56;

/** Draws A4 pages into a file: cover, contents, then each job with its changes, newest first; tagged throughout. */
export function openPdf(path: string) {
  let doc: PDFKit.PDFDocument;
  let root: Element;
  let contents: Element;
  let section: Element | undefined;
  let outline: PDFKit.PDFOutline | undefined;
  let cover: Cover | undefined;
  let written: Promise<void>;
  const pages: number[] = [];
  let contentsFrom = 0;

  function begin(piece: Cover): void {
    cover = piece;
    doc = new PDFDocument({
      size: "A4",
      margins: { top: margin, left: margin, right: margin, bottom: margin + 10 },
      bufferPages: true,
      pdfVersion: "1.7",
      // Its types do not know of PDF/UA yet.
      subset: "PDF/UA" as "PDF/A-1",
      tagged: true,
      lang: "en",
      displayTitle: true,
      info: { Title: `Watchglass report: ${piece.title}`, Creator: "Watchglass", CreationDate: piece.madeAt },
    });
    const file = createWriteStream(path);
    doc.pipe(file);
    written = finished(file);
    root = doc.struct("Document");
    doc.addStructure(root);
    drawCover(piece);
    const places = Math.max(1, Math.ceil(piece.jobs.length / entriesPerPage));
    doc.addPage();
    contentsFrom = doc.bufferedPageRange().count - 1;
    contents = doc.struct("TOC");
    const sect = doc.struct("Sect");
    root.add(sect);
    say(sect, "H1", "Contents", { face: "bold", size: 16 });
    sect.add(contents);
    doc.outline.addItem("Contents");
    for (let more = 1; more < places; more++) doc.addPage();
  }

  function drawCover(piece: Cover): void {
    const { title, note, logo, from, to, figures, steps, values, moreValues, jobs } = piece;
    const sect = doc.struct("Sect");
    root.add(sect);
    if (logo) {
      figure(sect, "Logo", 64, () => {
        doc.image(Buffer.from(logo), margin, doc.y, { fit: [200, 60] });
        doc.y += 64;
      });
      doc.moveDown(1);
    }
    doc.y = Math.max(doc.y, 150);
    say(sect, "H1", title, { face: "bold", size: 26 });
    doc.moveDown(0.4);
    say(sect, "P", `${time(from)} to ${time(to)}`, { size: 11, color: muted });
    say(sect, "P", figuresLine(figures, jobs.length), { size: 11, color: muted });
    if (note) {
      doc.moveDown(0.8);
      say(sect, "P", note, { size: 11 });
    }
    doc.moveDown(1.6);
    say(sect, "H2", "Summary", { face: "bold", size: 14 });
    doc.moveDown(0.5);
    if (jobs.length === 0)
      say(sect, "P", "The jobs of this report do not exist any more.", { size: 11, color: muted });
    else if (figures.checks === 0)
      say(sect, "P", "Nothing was checked in this time.", { size: 11, color: muted });
    drawFigures(sect, summaryOf(figures));
    drawChart(sect, steps, 120);
    drawValues(sect, values, "H3");
    if (moreValues > 0)
      say(
        sect,
        "P",
        `${moreValues} more followed ${moreValues === 1 ? "value stands with its job" : "values stand with their jobs"}.`,
        { size: 9, color: muted },
      );
    doc.outline.addItem("Summary");
  }

  function drawFigures(sect: Element, rows: [string, string][]): void {
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

  function drawChart(sect: Element, steps: Step[], height: number): void {
    const highest = Math.max(1, ...steps.map(({ fine, changed, failed }) => fine + changed + failed));
    if (steps.every(({ fine, changed, failed }) => fine + changed + failed === 0)) return;
    keepTogether(height + 50);
    doc.moveDown(1);
    figure(sect, chartWords(steps), height + 30, () => {
      const top = doc.y;
      const step = width / steps.length;
      steps.forEach((one, at) => {
        let y = top + height;
        for (const part of ["fine", "changed", "failed"] as const) {
          const tall = (one[part] / highest) * height;
          if (tall === 0) continue;
          // A single failure among thousands of checks is still to be seen.
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
      if (first)
        doc.text(first.at.toISOString().slice(0, 10), margin, top + height + 4, { lineBreak: false });
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

  function drawValues(sect: Element, values: ValueSeries[], heading: "H2" | "H3"): void {
    for (const value of values) {
      const edges = valueEdges(value);
      keepTogether(edges ? valueHeight + 60 : 40);
      doc.moveDown(0.8);
      say(sect, heading, value.name, { face: "bold", size: 10 });
      say(sect, "P", valueWords(value), { size: 8.5, color: muted });
      if (edges) drawValueChart(sect, value, edges);
    }
    if (values.length > 0) doc.moveDown(0.5);
  }

  function drawValueChart(sect: Element, value: ValueSeries, edges: { top: string; bottom: string }): void {
    const gutter = 56;
    const words = `Chart of ${value.name} over time: ${valueWords(value)}`;
    doc.moveDown(0.5);
    figure(sect, words, valueHeight + 8, () => {
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

  function startChapter(chapter: Chapter): void {
    section?.end();
    doc.addPage();
    pages[chapter.number - 1] = doc.bufferedPageRange().count;
    section = doc.struct("Sect");
    root.add(section);
    doc.addNamedDestination(`job-${chapter.number}`, "XYZ", 0, doc.y, null);
    outline = doc.outline.addItem(plain(chapter.name));
    say(section, "H1", chapter.name, { face: "bold", size: 18 });
    say(section, "P", chapter.url, { face: "code", size: 8.5, color: muted });
    doc.moveDown(0.5);
    drawFigures(section, summaryOf(chapter.figures));
    drawChart(section, chapter.steps, 60);
    drawValues(section, chapter.values, "H2");
    const { changes, checks } = chapter.figures;
    if (changes === 0)
      say(
        section,
        "P",
        checks === 0 ? "Nothing was checked in this time." : "Nothing changed in this time.",
        { color: muted },
      );
    const left = changes - chapter.shown;
    if (left > 0)
      say(
        section,
        "P",
        `The newest ${chapter.shown} changes follow; ${left} older ${left === 1 ? "one is" : "ones are"} not shown.`,
        { color: muted },
      );
  }

  function drawChange(entry: ChangeEntry): void {
    if (!section) return;
    keepTogether(entry.picture ? 290 : 80);
    doc.moveDown(1.1);
    const top = doc.y;
    const page = doc.bufferedPageRange().count;
    const sect = doc.struct("Sect");
    section.add(sect);
    outline?.addItem(plain(`${time(entry.at)} ${entry.summary}`).slice(0, 120));
    say(sect, "H2", entry.summary, { face: "bold", size: 10.5, left: indent });
    say(sect, "P", `${time(entry.at)} · ${entry.severity} · execution ${entry.index}`, {
      size: 8.5,
      color: muted,
      left: indent,
    });
    doc.moveDown(0.3);
    for (const { sign, text } of entry.lines)
      say(sect, "P", `${sign} ${cut(text)}`, {
        face: "code",
        size: 8.5,
        left: indent,
        color: sign === "+" ? "#1b6e3c" : "#b3261e",
      });
    const small = { size: 8.5, left: indent };
    if (entry.moreLines > 0)
      say(sect, "P", `${entry.moreLines} more ${entry.moreLines === 1 ? "line" : "lines"}`, {
        ...small,
        color: muted,
      });
    for (const header of entry.headers) say(sect, "P", cut(header), small);
    for (const finding of entry.findings) say(sect, "P", `Found ${cut(finding)}`, small);
    if (entry.picture) drawPicture(sect, Buffer.from(entry.picture), entry.summary);
    for (const place of entry.places) say(sect, "P", `▪ ${cut(place)}`, small);
    if (entry.seal)
      say(sect, "P", `Seal ${entry.seal}`, { face: "code", size: 6.8, color: muted, left: indent });
    drawLink(sect, "Open in Watchglass", entry.link, entry.summary);
    sect.end();
    // The edge is drawn where the whole change stands on one page.
    if (doc.bufferedPageRange().count === page)
      artifact(() => doc.rect(margin, top, 2, doc.y - top).fill(edges[entry.severity]));
  }

  function drawPicture(parent: Element, file: Buffer, summary: string): void {
    const height = pictureWidth * pictureRatio;
    keepTogether(height + 32);
    doc.moveDown(0.4);
    figure(parent, `Before and after: ${summary}`, height + 12, () => {
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

  async function end(): Promise<void> {
    section?.end();
    fillContents();
    const { count } = doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      doc.switchToPage(page);
      doc.page.margins.bottom = 0;
      artifact(() => {
        doc.font(fonts.plain).fontSize(8).fillColor(muted);
        const words = `Watchglass · made ${time(cover?.madeAt ?? new Date())} · page ${page + 1} of ${count}`;
        doc.text(words, margin, doc.page.height - 32, { lineBreak: false });
      }, "Pagination");
    }
    root.end();
    doc.end();
    await written;
  }

  function fillContents(): void {
    const jobs = cover?.jobs ?? [];
    jobs.forEach((job, at) => {
      const page = contentsFrom + Math.floor(at / entriesPerPage);
      if (at % entriesPerPage === 0) {
        doc.switchToPage(page);
        doc.y = at === 0 ? margin + 34 : margin;
      }
      const top = doc.y;
      const item = doc.struct("TOCI");
      contents.add(item);
      const reference = doc.struct("Reference");
      item.add(reference);
      const link = doc.struct("Link", {}, () => {
        doc.font(fontFor(job.name, "plain")).fontSize(10).fillColor(ink);
        const box = { width: width - 190, height: 13 };
        doc.text(plain(job.name), margin, top, { ...box, ellipsis: true });
        const says = `${job.name}, page ${pages[at] ?? ""}`;
        doc.goTo(margin, top, box.width, box.height, `job-${at + 1}`, marked(link, says));
      });
      reference.add(link);
      reference.end();
      item.add(
        doc.struct("P", {}, () => {
          doc.font(fonts.plain).fontSize(9).fillColor(muted);
          const { changes } = job.figures;
          doc.text(`${changes} ${changes === 1 ? "change" : "changes"}`, margin + width - 180, top, {
            width: 120,
            align: "right",
            lineBreak: false,
          });
          doc.text(String(pages[at] ?? ""), margin + width - 40, top, {
            width: 40,
            align: "right",
            lineBreak: false,
          });
        }),
      );
      item.end();
      doc.y = top + 20;
    });
    contents.end();
  }

  function figure(parent: Element, alt: string, height: number, draw: () => void): void {
    // Where it stands, which PDF/UA asks for, is not in the types.
    const place = { bbox: [margin, doc.y, margin + width, doc.y + height] };
    parent.add(doc.struct("Figure", { alt: plain(alt).slice(0, 500), ...place }, draw));
  }

  function drawLink(parent: Element, text: string, url: string, about: string): void {
    const paragraph = doc.struct("P");
    parent.add(paragraph);
    const link = doc.struct("Link", {}, () => {
      const top = doc.y;
      doc.font(fonts.plain).fontSize(8.5).fillColor(accent);
      doc.text(text, margin + indent, top, { underline: true });
      doc.link(
        margin + indent,
        top,
        doc.widthOfString(text),
        doc.y - top,
        url,
        marked(link, `${text}: ${about}`),
      );
    });
    paragraph.add(link);
    paragraph.end();
  }

  function artifact(draw: () => void, type: "Pagination" | "Layout" = "Layout"): void {
    doc.markContent("Artifact", { type });
    draw();
    doc.endMarkedContent();
  }

  /** Starts a page where less than that is left of this one. */
  function keepTogether(height: number): void {
    if (doc.y + height > bottom) doc.addPage();
  }

  function say(parent: Element, type: string, text: string, words: Words = {}): void {
    const { face = "plain", size = 10, color = ink, left = 0 } = words;
    parent.add(
      doc.struct(type, {}, () => {
        doc.font(fontFor(text, face)).fontSize(size).fillColor(color);
        doc.text(plain(text), margin + left, doc.y, {
          width: width - left,
          lineGap: 1.5,
        });
      }),
    );
  }

  return {
    async draw(piece: Piece): Promise<void> {
      if (piece.kind === "cover") begin(piece);
      else if (piece.kind === "chapter") startChapter(piece);
      else if (piece.kind === "change") drawChange(piece);
      else await end();
    },
  };
}

/** A link that is part of the document's structure and says where it leads, as PDF/UA asks for. */
const marked = (structParent: Element, says: string) =>
  // Both stand in no type; a text is told from a name by being an object.
  ({ structParent, Contents: Object(plain(says).slice(0, 300)) }) as PDFKit.Mixins.AnnotationOption;

const plain = (text: string) => text.replace(/[^\P{Cc}\n]|\p{Cf}/gu, " ");
const fontFor = (text: string, face: Face) =>
  /[\u2E80-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF]/u.test(text) ? fonts.far : fonts[face];
