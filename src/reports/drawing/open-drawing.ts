import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openHtml } from "./draw-html.ts";
import { openPdf } from "./draw-pdf.ts";
import type { Piece } from "./pieces.ts";

/** Draws a report as PDF and as HTML into a folder, piece by piece, so that only one piece is in memory at a time. */
export function openDrawing(folder: string) {
  const paths = { pdf: join(folder, "report.pdf"), html: join(folder, "report.html") };
  const writers = [openPdf(paths.pdf), openHtml(paths.html)];
  const draw = async (piece: Piece) => void (await Promise.all(writers.map((writer) => writer.draw(piece))));
  return {
    draw,
    async finish(): Promise<{ pdf: Buffer; html: Buffer }> {
      await draw({ kind: "end" });
      const [pdf, html] = await Promise.all([readFile(paths.pdf), readFile(paths.html)]);
      return { pdf, html };
    },
  };
}
