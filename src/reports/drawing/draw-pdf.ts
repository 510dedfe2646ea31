import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import PDFDocument from "pdfkit";
import { chartHeight, drawChart, drawFigures, drawPicture, drawValues, pictureHeight } from "./pdf-charts.ts";
import { type Contents, drawContentsHeading, fillContents, reserveContents } from "./pdf-contents.ts";
import {
  addArtifact,
  addFigure,
  addLink,
  addText,
  bottom,
  type Document,
  drawWords,
  type Element,
  fitLine,
  fonts,
  hairline,
  hasUndrawable,
  heightOf,
  indent,
  keepTogether,
  margin,
  muted,
  printable,
  width,
} from "./pdf-elements.ts";
import { addTable, type Column, rowHeight } from "./pdf-table.ts";
import {
  type ChangeEntry,
  type Chapter,
  chapterSentence,
  count,
  cut,
  edges,
  type Fingerprint,
  figuresLine,
  fingerprintsSentence,
  headline,
  type Overview,
  orderSentence,
  type Piece,
  summaryOf,
  time,
  worstOf,
} from "./pieces.ts";

/** A report that is being drawn. */
type Report = {
  doc: Document;
  root: Element;
  overview: Overview;
  contents: Contents;
  /** The chapter whose heading is drawn together with its first change. */
  pending?: Chapter;
  chapter?: { name: string; section: Element; outline: PDFKit.PDFOutline };
  fingerprints: Fingerprint[];
  written: Promise<void>;
};

const [title, subtitle, body, small] = [24, 15, 10, 8.5];
const chapterChart = 50;
// A change up to this height is on one page, and so is its picture with its heading. More would leave pages half empty.
const wholeHeight = 340;

/** Draws A4 pages into a file: contents, what matters, each job with its changes, fingerprints; everything is tagged. */
export function openPdf(path: string) {
  let report: Report;
  return {
    async draw(piece: Piece): Promise<void> {
      if (piece.kind === "overview") report = begin(path, piece);
      else if (piece.kind === "chapter") {
        startChapter(report, 0);
        report.pending = piece;
      } else if (piece.kind === "change") drawChange(report, piece);
      else await finish(report);
    },
  };
}

function begin(path: string, overview: Overview): Report {
  const doc = new PDFDocument({
    size: "A4",
    margins: { top: margin, left: margin, right: margin, bottom: margin + 10 },
    bufferPages: true,
    pdfVersion: "1.7",
    // pdfkit's types do not include PDF/UA yet.
    subset: "PDF/UA" as "PDF/A-1",
    tagged: true,
    lang: "en",
    displayTitle: true,
    info: {
      Title: `Watchglass report: ${overview.title}`,
      Creator: "Watchglass",
      CreationDate: overview.madeAt,
    },
  });
  const file = createWriteStream(path);
  doc.pipe(file);
  const written = finished(file);
  const root = doc.struct("Document");
  doc.addStructure(root);
  drawTitle(doc, root, overview);
  const contents = reserveContents(doc, drawContentsHeading(doc, root), [
    "What matters",
    ...overview.jobs.map(({ name }) => name),
    "Fingerprints",
  ]);
  const report: Report = { doc, root, overview, contents, fingerprints: [], written };
  drawOverview(report);
  return report;
}

function drawTitle(doc: Document, root: Element, overview: Overview): void {
  const { title: name, note, logo, from, to, madeAt, figures, jobs } = overview;
  const sect = doc.struct("Sect");
  root.add(sect);
  if (logo) {
    addFigure(doc, sect, "Logo", 64, () => {
      doc.image(Buffer.from(logo), margin, doc.y, { fit: [200, 60] });
      doc.y += 72;
    });
  }
  addText(doc, sect, "H1", name, { face: "bold", size: title });
  doc.y += 4;
  addText(doc, sect, "P", `${time(from)} to ${time(to)} · made ${time(madeAt)}`, {
    size: body,
    color: muted,
  });
  addText(doc, sect, "P", figuresLine(figures, jobs.length), { size: body, color: muted });
  if (note) {
    doc.y += 8;
    addText(doc, sect, "P", note, { size: 11 });
  }
  sect.end();
}

const jobColumns: Column[] = [
  { name: "Job", width: 142 },
  { name: "Most severe change", width: 211 },
  { name: "Changes", width: 46, isNumber: true },
  { name: "Failed", width: 40, isNumber: true },
  { name: "Available", width: 60, isNumber: true },
];

/** The one page for whom reads nothing else: the figures, and a table of jobs, worst first. */
function drawOverview(report: Report): void {
  const { doc, root, overview, contents } = report;
  const { figures, steps, jobs, limits, opinion } = overview;
  const limitStyle = { size: small, color: muted };
  const rows = summaryOf(figures);
  const chart = steps.some(({ fine, changed, failed }) => fine + changed + failed > 0) ? 64 : 0;
  const fixed =
    heightOf(doc, headline(figures, jobs), { size: 11 }) +
    (opinion ? heightOf(doc, opinion, { size: 11 }) + 4 : 0) +
    rows.length * 17 +
    limits.reduce((sum, limit) => sum + heightOf(doc, limit, limitStyle) + 4, 0) +
    heightOf(doc, orderSentence, limitStyle) +
    (chart > 0 ? chartHeight(chart) : 0) +
    90;
  // It begins below the contents only if it is whole there.
  if (doc.y + 24 + fixed + (jobs.length + 1) * rowHeight > bottom) doc.addPage();
  else doc.y += 24;
  const sect = doc.struct("Sect");
  root.add(sect);
  contents.note(0);
  doc.addNamedDestination("what-matters", "XYZ", 0, doc.y, null);
  doc.outline.addItem("What matters");
  addText(doc, sect, "H1", "What matters", { face: "bold", size: subtitle });
  doc.y += 4;
  addText(doc, sect, "P", headline(figures, jobs), { size: 11 });
  if (opinion) {
    doc.y += 4;
    addText(doc, sect, "P", opinion, { size: 11 });
  }
  for (const limit of limits) {
    doc.y += 4;
    addText(doc, sect, "P", limit, limitStyle);
  }
  doc.y += 8;
  if (figures.checks > 0) {
    drawFigures(doc, sect, rows);
    drawChart(doc, sect, steps, chart);
  }
  if (jobs.length === 0) return sect.end();
  doc.y += 6;
  addText(doc, sect, "H2", jobs.length === 1 ? "The job" : "Jobs", { face: "bold", size: 11 });
  if (jobs.length > 1) addText(doc, sect, "P", orderSentence, limitStyle);
  doc.y += 4;
  const room = Math.floor((bottom - doc.y) / rowHeight) - 1;
  const shown = jobs.length <= room ? jobs.length : room - 1;
  addTable(
    doc,
    sect,
    jobColumns,
    jobs.slice(0, shown).map((job, at) => {
      const { severity, words } = worstOf(job);
      const { checks, changes, failures } = job.figures;
      return [
        { text: job.name, job: at + 1 },
        severity ? { text: `${severity}: ${words}`, color: edges[severity] } : { text: words },
        { text: String(changes) },
        { text: String(failures) },
        { text: checks === 0 ? "–" : `${Math.floor((1000 * (checks - failures)) / checks) / 10}%` },
      ];
    }),
  );
  const left = jobs.length - shown;
  if (left > 0) {
    doc.y += 3;
    addText(doc, sect, "P", `${count(left, "more job")} in the same order: see the contents.`, limitStyle);
  }
  sect.end();
}

/** Draws the heading of the pending chapter where `firstHeight`, which its first change needs, still fits below. */
function startChapter(report: Report, firstHeight: number): void {
  const { doc, root, contents, pending } = report;
  if (!pending) return;
  delete report.pending;
  report.chapter?.section.end();
  const { name, url, figures, steps, values, isOnly } = pending;
  const isBrief = isOnly || (figures.changes === 0 && figures.failures === 0);
  const heading = { face: "bold", size: subtitle } as const;
  const address = { face: "code", size: small, color: muted } as const;
  const below = isBrief ? 20 : summaryOf(figures).length * 17 + chartHeight(chapterChart);
  const first = values.length > 0 ? 110 : isBrief ? firstHeight : 0;
  doc.y += 22;
  keepTogether(doc, heightOf(doc, name, heading) + heightOf(doc, url, address) + below + first + 24);
  const section = doc.struct("Sect");
  root.add(section);
  contents.note(pending.number);
  doc.addNamedDestination(`job-${pending.number}`, "XYZ", 0, doc.y, null);
  report.chapter = { name, section, outline: doc.outline.addItem(printable(name)) };
  if (doc.y > margin) addArtifact(doc, () => doc.rect(margin, doc.y - 8, width, 0.5).fill(hairline));
  addText(doc, section, "H1", name, heading);
  addText(doc, section, "P", url, address);
  doc.y += 4;
  if (!isBrief) {
    drawFigures(doc, section, summaryOf(figures));
    drawChart(doc, section, steps, chapterChart);
  }
  drawValues(doc, section, values);
  const sentence = chapterSentence(pending);
  if (sentence) addText(doc, section, "P", sentence, { size: 9, color: muted });
}

const changeHeading = { face: "bold", size: 10.5, left: indent } as const;

/** Draws a change on one page, or else continues it part by part under its repeated heading. */
function drawChange(report: Report, entry: ChangeEntry): void {
  const { doc, fingerprints } = report;
  const sect = doc.struct("Sect");
  const parts = partsOf(doc, sect, entry);
  const headHeight = heightOf(doc, entry.summary, changeHeading) + 18;
  const whole = parts.reduce((sum, { height }) => sum + height, headHeight + (entry.limit ? 30 : 0));
  const needed = whole <= wholeHeight ? whole : headHeight + (parts[0]?.height ?? 0);
  startChapter(report, needed + 12);
  if (!report.chapter) return;
  const { name, section, outline } = report.chapter;
  if (entry.seal) fingerprints.push({ job: name, index: entry.index, at: entry.at, seal: entry.seal });
  doc.y += 12;
  keepTogether(doc, needed);
  if (entry.limit) {
    addText(doc, section, "P", entry.limit, { size: 9, color: muted });
    doc.y += 10;
  }
  section.add(sect);
  let [top, page] = [doc.y, doc.bufferedPageRange().count];
  const drawEdge = () => {
    const height = doc.y - top;
    if (height > 0) addArtifact(doc, () => doc.rect(margin, top, 2, height).fill(edges[entry.severity]));
  };
  outline.addItem(printable(`${time(entry.at)} ${entry.summary}`).slice(0, 120));
  addText(doc, sect, "H2", entry.summary, changeHeading);
  addText(doc, sect, "P", `${time(entry.at)} · ${entry.severity} · execution ${entry.index}`, {
    size: small,
    color: muted,
    left: indent,
  });
  for (const part of parts) {
    if (doc.y + part.height > bottom && part.height < bottom - margin) {
      drawEdge();
      doc.addPage();
      top = doc.y;
      page = doc.bufferedPageRange().count;
      repeatHeading(doc, entry);
    }
    part.draw();
    // A part taller than a page has moved on by itself.
    if (doc.bufferedPageRange().count > page) [top, page] = [margin, doc.bufferedPageRange().count];
  }
  drawEdge();
  sect.end();
}

/** Says at the top of a page which change continues there. Screen readers don't need it. */
function repeatHeading(doc: Document, { summary }: ChangeEntry): void {
  const style = { size: small };
  addArtifact(doc, () => {
    const words = `Continued: ${fitLine(doc, summary, style, width - 80)}`;
    doc.fillColor(muted);
    drawWords(doc, words, style, { x: margin + indent, y: doc.y }, { width: width - indent });
    doc.x = margin;
    doc.y += 4;
  });
}

type Part = { height: number; draw: () => void };

function partsOf(doc: Document, sect: Element, entry: ChangeEntry): Part[] {
  const { rows, moreLines, facts, picture, places, morePlaces } = entry;
  const plain = { size: small, left: indent };
  const faint = { ...plain, color: muted };
  const texts = (lines: { text: string; style: Parameters<typeof heightOf>[2] }[], gap = 0): Part => ({
    height: gap + lines.reduce((sum, { text, style }) => sum + heightOf(doc, text, style), 0),
    draw: () => {
      doc.y += gap;
      for (const { text, style } of lines) addText(doc, sect, "P", text, style);
    },
  });
  const changed = rows.flatMap(({ label, lines }) =>
    lines.map(({ removed, added }, at) =>
      texts(
        [
          ...(label !== null && at === 0
            ? [{ text: cut(label), style: { ...plain, face: "bold" as const } }]
            : []),
          ...(removed === null ? [] : [{ text: `− ${cut(removed)}`, style: lineStyle("#b3261e") }]),
          ...(added === null ? [] : [{ text: `+ ${cut(added)}`, style: lineStyle("#1b6e3c") }]),
        ],
        at === 0 ? 4 : 1,
      ),
    ),
  );
  const more = (number: number, what: string) =>
    number > 0 ? [texts([{ text: `${count(number, `more ${what}`)}`, style: faint }])] : [];
  return [
    ...changed,
    ...more(moreLines, "changed line"),
    ...facts.map((fact) => texts([{ text: cut(fact), style: plain }])),
    ...(picture
      ? [
          {
            height: pictureHeight + 26,
            draw: () => drawPicture(doc, sect, Buffer.from(picture), entry.summary),
          },
        ]
      : []),
    ...places.map((place) => texts([{ text: `▪ ${cut(place)}`, style: plain }])),
    ...more(morePlaces, "marked area"),
    { height: 14, draw: () => addLink(doc, sect, "Open in Watchglass", entry.link, entry.summary) },
  ];
}

const lineStyle = (color: string) => ({ face: "code" as const, size: small, left: indent, color });

const fingerprintColumns: Column[] = [
  { name: "Execution", width: 52, isNumber: true },
  { name: "Time", width: 126, left: 10 },
  { name: "Fingerprint (SHA-256)", width: 321, face: "code", size: 7.5 },
];

function drawFingerprints(report: Report): void {
  const { doc, root, contents, fingerprints } = report;
  const sect = doc.struct("Sect");
  root.add(sect);
  doc.y += 22;
  keepTogether(doc, 130);
  contents.note(report.overview.jobs.length + 1);
  doc.addNamedDestination("fingerprints", "XYZ", 0, doc.y, null);
  doc.outline.addItem("Fingerprints");
  addText(doc, sect, "H1", "Fingerprints", { face: "bold", size: subtitle });
  const words =
    fingerprints.length > 0 ? fingerprintsSentence : "No execution of this report has a fingerprint.";
  addText(doc, sect, "P", words, { size: 9, color: muted });
  for (const [job, entries] of Map.groupBy(fingerprints, (one) => one.job)) {
    doc.y += 8;
    keepTogether(doc, 18 + 3 * rowHeight);
    addText(doc, sect, "H2", job, { face: "bold", size: 9.5 });
    addTable(
      doc,
      sect,
      fingerprintColumns,
      entries.map(({ index, at, seal }) => [{ text: String(index) }, { text: time(at) }, { text: seal }]),
    );
  }
  if (hasUndrawable(doc)) {
    doc.y += 10;
    addText(
      doc,
      sect,
      "P",
      "Some characters of the watched pages are missing from this PDF's fonts and appear as boxes. The HTML form of this report shows them.",
      { size: 9, color: muted },
    );
  }
  sect.end();
}

async function finish(report: Report): Promise<void> {
  startChapter(report, 0);
  const { doc, root, overview, chapter, contents, written } = report;
  chapter?.section.end();
  drawFingerprints(report);
  fillContents(doc, contents, overview.jobs);
  const { count: pages } = doc.bufferedPageRange();
  for (let page = 0; page < pages; page++) {
    doc.switchToPage(page);
    doc.page.margins.bottom = 0;
    addArtifact(
      doc,
      () => {
        doc.font(fonts.plain).fontSize(8).fillColor(muted);
        const words = `Watchglass · made ${time(overview.madeAt)} · page ${page + 1} of ${pages}`;
        doc.text(words, margin, doc.page.height - 32, { lineBreak: false });
      },
      "Pagination",
    );
  }
  root.end();
  doc.end();
  await written;
}
