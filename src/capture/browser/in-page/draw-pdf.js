// Reads a PDF's text page by page and draws the first pages below each other. pdf.js is already loaded.
export const drawPdf = async ({ data, maxPages, maxDrawn }) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const pdf = await globalThis.pdfjsLib.getDocument({
    data: bytes,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: true,
    enableXfa: false,
    stopAtErrors: false,
  }).promise;
  const lines = [];
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages); number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    lines.push(items.map((item) => (item.hasEOL ? `${item.str}\n` : item.str)).join(""), "");
    if (number > maxDrawn) continue;
    const canvas = document.createElement("canvas");
    const viewport = page.getViewport({ scale: 1280 / page.getViewport({ scale: 1 }).width });
    canvas.width = 1280;
    canvas.height = Math.min(Math.ceil(viewport.height), 16_000);
    document.body.append(canvas);
    await page.render({ canvas, viewport }).promise;
  }
  const { info } = await pdf.getMetadata();
  return {
    text: lines.join("\n"),
    title: String(info?.Title ?? "").slice(0, 1_000),
    pages: pdf.numPages,
    height: document.documentElement.scrollHeight,
  };
};
