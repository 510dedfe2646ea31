import { createRequire } from "node:module";
import { lineColor } from "./pieces.ts";

const find = createRequire(import.meta.url).resolve;
export const fonts = {
  plain: find("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: find("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  code: find("dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf"),
  // DejaVu has no Chinese and Japanese characters, and few emoji.
  cjk: find("@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf"),
  emoji: find("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf"),
};
type Face = keyof Omit<typeof fonts, "cjk" | "emoji">;
export type TextStyle = { face?: Face; size?: number; color?: string; left?: number };
export type Document = PDFKit.PDFDocument;
/** A node of the structure that screen readers use; PDF/UA requires everything to be in it. */
export type Element = PDFKit.PDFStructureElement;

export const ink = "#1c2730";
export const muted = "#5b6873";
export const hairline = "#d5dbe0";
const accent = lineColor;
export const margin = 48;
const pageWidth = 595.28;
export const width = pageWidth - 2 * margin;
export const indent = 12;
export const bottom = 841.89 - margin - 10;

const lineGap = 1.5;

/** Adds a paragraph or a heading. */
export function addText(
  doc: Document,
  parent: Element,
  type: string,
  text: string,
  words: TextStyle = {},
): void {
  const { color = ink, left = 0 } = words;
  parent.add(
    doc.struct(type, {}, () => {
      doc.fillColor(color);
      drawWords(doc, text, words, { x: margin + left, y: doc.y }, { width: width - left, lineGap });
    }),
  );
}

/** Draws text in the fonts that have its characters. */
export function drawWords(
  doc: Document,
  text: string,
  { face = "plain", size = 10 }: TextStyle,
  { x, y }: { x: number; y: number },
  options: PDFKit.Mixins.TextOptions,
): void {
  const runs = splitByFont(doc, printable(text), face);
  doc.fontSize(size);
  // All fonts share the first one's baseline, else their letters would be at different heights.
  const baseline = (-openedFont(doc, fonts[face]).ascender / 1000) * size;
  runs.forEach(({ font, words }, at) => {
    doc.font(font);
    const more = { ...options, baseline, continued: at < runs.length - 1 };
    if (at === 0) doc.text(words, x, y, more);
    else doc.text(words, more);
  });
}

/** The height that `addText` needs, at least. */
export function heightOf(
  doc: Document,
  text: string,
  { face = "plain", size = 10, left = 0 }: TextStyle,
): number {
  const shown = printable(text);
  const options = { width: width - left, lineGap };
  const needed = new Set(splitByFont(doc, shown, face).map(({ font }) => font));
  return Math.max(...[...needed].map((font) => doc.font(font).fontSize(size).heightOfString(shown, options)));
}

/** The width of a text without line breaks. */
export function widthOf(doc: Document, text: string, { face = "plain", size = 10 }: TextStyle): number {
  doc.fontSize(size);
  return splitByFont(doc, printable(text), face).reduce(
    (sum, { font, words }) => sum + doc.font(font).widthOfString(words),
    0,
  );
}

/** Cuts a text to one line of a width. */
export function fitLine(
  doc: Document,
  text: string,
  { face = "plain", size = 10 }: TextStyle,
  most: number,
): string {
  const line = printable(text).replaceAll("\n", " ");
  const style = { face, size };
  if (widthOf(doc, line, style) <= most) return line;
  const characters = [...line];
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (widthOf(doc, `${characters.slice(0, middle).join("")}…`, style) <= most) fits = middle;
    else tooMany = middle;
  }
  return `${characters.slice(0, fits).join("").trimEnd()}…`;
}

type Run = { font: string; words: string };
const undrawable = new WeakSet<Document>();

/** Splits a text into runs of characters that the same font has. */
function splitByFont(doc: Document, text: string, face: Face): Run[] {
  const choices = [fonts[face], fonts.cjk, fonts.emoji];
  const runs: Run[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const isSpace = /\s/u.test(character);
    const code = character.codePointAt(0) ?? 0;
    const found = isSpace || choices.find((font) => hasCharacter(doc, font, code));
    if (!found) undrawable.add(doc);
    const font = typeof found === "string" ? found : fonts[face];
    if (last?.font === font) last.words += character;
    else runs.push({ font, words: character });
  }
  return runs.length > 0 ? runs : [{ font: fonts[face], words: "" }];
}

/** Whether a text was drawn that has characters which none of our fonts has. */
export const hasUndrawable = (doc: Document) => undrawable.has(doc);

const coverage = new WeakMap<Document, Map<string, Map<number, boolean>>>();

function hasCharacter(doc: Document, font: string, code: number): boolean {
  const known = coverage.get(doc) ?? new Map<string, Map<number, boolean>>();
  coverage.set(doc, known);
  const ofFont = known.get(font) ?? new Map<number, boolean>();
  known.set(font, ofFont);
  let isThere = ofFont.get(code);
  if (isThere === undefined) {
    isThere = openedFont(doc, font).font.hasGlyphForCodePoint(code);
    ofFont.set(code, isThere);
  }
  return isThere;
}

type OpenedFont = { ascender: number; font: { hasGlyphForCodePoint(code: number): boolean } };

/** The font as pdfkit opened it, to which it gives no other access. */
const openedFont = (doc: Document, font: string): OpenedFont =>
  (doc.font(font) as unknown as { _font: OpenedFont })._font;

/** Adds a drawing with its description. */
export function addFigure(
  doc: Document,
  parent: Element,
  alt: string,
  height: number,
  draw: () => void,
): void {
  // PDF/UA requires the bounding box, which is missing from the types.
  const position = { bbox: [margin, doc.y, margin + width, doc.y + height] };
  parent.add(doc.struct("Figure", { alt: printable(alt).slice(0, 500), ...position }, draw));
}

/** Adds a link in a paragraph of its own. */
export function addLink(doc: Document, parent: Element, text: string, url: string, about: string): void {
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
      linkOptions(link, `${text}: ${about}`),
    );
  });
  paragraph.add(link);
  paragraph.end();
}

/** Draws what screen readers should skip, such as page numbers. */
export function addArtifact(doc: Document, draw: () => void, type: "Pagination" | "Layout" = "Layout"): void {
  doc.markContent("Artifact", { type });
  draw();
  doc.endMarkedContent();
}

/** Starts a new page if this one has less than `height` left; what is taller than a page begins where it is. */
export function keepTogether(doc: Document, height: number): void {
  if (doc.y + height > bottom && height < bottom - margin) doc.addPage();
}

/** A link that is part of the document's structure and describes its target, as PDF/UA requires. */
export const linkOptions = (structParent: Element, description: string) =>
  // Both fields are missing from the types; a string object is written as text, a plain string as a name.
  ({
    structParent,
    Contents: Object(printable(description).slice(0, 300)),
  }) as PDFKit.Mixins.AnnotationOption;

/** Control characters can't be drawn. What joins emoji or chooses their style is left out without a gap. */
export const printable = (text: string) =>
  text.replace(/\u200d|\ufe0e|\ufe0f/g, "").replace(/[^\P{Cc}\n]|\p{Cf}/gu, " ");
