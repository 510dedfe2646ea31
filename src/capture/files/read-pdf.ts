import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Snapshot } from "#contract/capture.ts";
import { photograph } from "../browser/screenshot/photograph.ts";
import { readPageScript, type Tab } from "../browser/tab.ts";

const drawPdf = readPageScript("draw-pdf");
const limits = { pages: 500, drawn: 5, ms: 20_000 };

/** Reads and draws a PDF with pdf.js inside the browser's sandbox, in a tab without network access. */
export async function readPdf(
  tab: Tab,
  body: Uint8Array,
): Promise<{ text: string; title: string; picture: Snapshot["picture"]; truncated: boolean }> {
  const html =
    '<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#fff}canvas{display:block;width:1280px}</style>';
  await tab.send("Page.setDocumentContent", { frameId: tab.frameId, html });
  const world = await tab.openIsolatedWorld();
  const [worker, library] = await Promise.all([readSource("pdf.worker.min.mjs"), readSource("pdf.min.mjs")]);
  // The library first looks for its worker under this global name; if it is there, it starts none.
  for (const [name, code] of [
    ["pdfjsWorker", worker],
    ["pdfjsLib", library],
  ]) {
    await tab.run(world, loadModule, { name, code });
  }
  type Drawn = { text: string; title: string; pages: number; height: number };
  const data = Buffer.from(body).toString("base64");
  const { pages: maxPages, drawn: maxDrawn } = limits;
  const drawn = await tab.run<Drawn>(world, drawPdf, { data, maxPages, maxDrawn }, limits.ms);
  const picture = await photograph(tab, drawn);
  return { text: drawn.text, title: drawn.title, picture, truncated: drawn.pages > maxPages };
}

const loadModule = `async ({ name, code }) => {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  globalThis[name] = await import(url);
  URL.revokeObjectURL(url);
}`;

function readSource(file: string): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve(`pdfjs-dist/build/${file}`), "utf8");
}
