import { createRequire } from "node:module";
import PDFDocument from "pdfkit";
import type { Severity } from "#contract/job.ts";

export type ChangeEntry = {
  at: Date;
  severity: Severity;
  summary: string;
  lines: string[];
  moreLines: number;
  findings: string[];
  link: string;
  picture: Uint8Array | null;
};
export type JobChapter = {
  name: string;
  url: string;
  checks: number;
  changes: number;
  failures: number;
  entries: ChangeEntry[];
};
export type ReportContent = { title: string; from: Date; to: Date; madeAt: Date; chapters: JobChapter[] };

const find = createRequire(import.meta.url).resolve;
const fonts = {
  plain: find("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: find("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  code: find("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"),
  // DejaVu has no Chinese, Japanese or Korean.
  far: find("@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf"),
};
type Face = keyof Omit<typeof fonts, "far">;

const ink = "#1c2730";
const muted = "#5b6873";
const hairline = "#d5dbe0";
const edges: Record<Severity, string> = {
  critical: "#b3261e",
  important: "#94600a",
  notice: "#1f5fa8",
  info: "#5b6873",
};
const margin = 48;
const width = 595.28 - 2 * margin;
const indent = 12;
const pictureWidth = 400;

/** A4 pages: the figures of each job, then its changes, newest first. */
export async function drawReport(content: ReportContent): Promise<Buffer> {
  const { title, from, to, madeAt, chapters } = content;
  const doc = new PDFDocument({
    size: "A4",
    margin,
    bufferPages: true,
    info: { Title: `Watchglass report: ${title}`, Creator: "Watchglass", CreationDate: madeAt },
  });
  const parts: Buffer[] = [];
  doc.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => doc.on("end", resolve));

  write(doc, "bold", 20, title);
  write(doc, "plain", 10, `${time(from)} to ${time(to)}`, muted);
  doc.moveDown(1);
  const sum = (key: "checks" | "changes" | "failures") => chapters.reduce((all, one) => all + one[key], 0);
  write(doc, "plain", 11, figures(sum("checks"), sum("changes"), sum("failures"), chapters.length));
  if (chapters.length === 0) write(doc, "plain", 11, "The jobs of this report do not exist any more.", muted);
  for (const chapter of chapters) drawChapter(doc, chapter);

  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    doc.page.margins.bottom = 0;
    doc.font(fonts.plain).fontSize(8).fillColor(muted);
    doc.text(
      `Watchglass · made ${time(madeAt)} · page ${page + 1} of ${count}`,
      margin,
      doc.page.height - 32,
      {
        lineBreak: false,
      },
    );
  }
  doc.end();
  await ended;
  return Buffer.concat(parts);
}

function drawChapter(doc: PDFKit.PDFDocument, chapter: JobChapter): void {
  keepTogether(doc, 110);
  doc.moveDown(1.5);
  doc
    .strokeColor(hairline)
    .lineWidth(1)
    .moveTo(margin, doc.y)
    .lineTo(margin + width, doc.y)
    .stroke();
  doc.moveDown(0.8);
  write(doc, "bold", 14, chapter.name);
  write(doc, "code", 8.5, chapter.url, muted);
  doc.moveDown(0.3);
  write(doc, "plain", 10, figures(chapter.checks, chapter.changes, chapter.failures));
  for (const entry of chapter.entries) drawChange(doc, entry);
  const left = chapter.changes - chapter.entries.length;
  if (left > 0)
    write(doc, "plain", 9, `${left} older ${left === 1 ? "change is" : "changes are"} not shown.`, muted);
}

function drawChange(doc: PDFKit.PDFDocument, entry: ChangeEntry): void {
  keepTogether(doc, entry.picture ? 250 : 60);
  doc.moveDown(0.9);
  const top = doc.y;
  const page = doc.bufferedPageRange().count;
  write(doc, "plain", 8.5, `${time(entry.at)} · ${entry.severity}`, muted, indent);
  write(doc, "bold", 10, entry.summary, ink, indent);
  for (const line of entry.lines) write(doc, "code", 8.5, cut(line), ink, indent);
  if (entry.moreLines > 0) write(doc, "plain", 8.5, `${entry.moreLines} more lines`, muted, indent);
  for (const finding of entry.findings) write(doc, "plain", 8.5, `Found ${cut(finding)}`, ink, indent);
  if (entry.picture) {
    keepTogether(doc, 180);
    doc.moveDown(0.3);
    doc.x = margin + indent;
    doc.image(Buffer.from(entry.picture), { width: pictureWidth });
    doc.moveDown(0.3);
  }
  doc.font(fonts.plain).fontSize(8.5).fillColor("#006a78");
  doc.text("Open in Watchglass", margin + indent, doc.y, { link: entry.link, underline: true });
  // The edge is drawn where the whole change stands on one page.
  if (doc.bufferedPageRange().count === page)
    doc.rect(margin, top, 2, doc.y - top).fill(edges[entry.severity]);
}

/** Starts a page where less than that is left of this one. */
function keepTogether(doc: PDFKit.PDFDocument, height: number): void {
  if (doc.y + height > doc.page.height - margin) doc.addPage();
}

function write(doc: PDFKit.PDFDocument, face: Face, size: number, text: string, color = ink, left = 0): void {
  const plain = text.replace(/\p{Cc}|\p{Cf}/gu, " ");
  const font = /[\u2E80-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF]/u.test(plain) ? fonts.far : fonts[face];
  doc.font(font).fontSize(size).fillColor(color);
  doc.text(plain, margin + left, doc.y, { width: width - left, lineGap: 1.5 });
}

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300).toWellFormed()} …` : text);

const time = (date: Date) => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

function figures(checks: number, changes: number, failures: number, jobs?: number): string {
  const count = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const all = [count(checks, "check"), count(changes, "change"), count(failures, "failure")];
  return [...(jobs === undefined ? [] : [count(jobs, "job")]), ...all].join(" · ");
}
