import type { ContentKind, TextBlock } from "#contract/capture.ts";
import { escapeHtml } from "#contract/escape-html.ts";

const maxPictured = 200_000;

/** Builds a page that shows a file: no script, no request, only the text or the image itself. */
export function filePage(kind: ContentKind, contentType: string, body: Uint8Array, text: string): string {
  if (kind === "image") {
    const type = /^image\/[\w.+-]+/.exec(contentType.toLowerCase())?.[0] ?? "image/png";
    return page(
      "img-src data:",
      "body{margin:0}img{display:block;max-width:1280px}",
      `<img src="data:${type};base64,${Buffer.from(body).toString("base64")}">`,
    );
  }
  const style =
    "body{margin:16px;font:14px/1.4 'DejaVu Sans Mono'}pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}";
  return page("", style, `<pre>${escapeHtml(text.slice(0, maxPictured))}</pre>`);
}

/** Splits text into one block per line; for binary content the text is its summary. */
export function fileBlocks(kind: ContentKind, text: string, max: number): TextBlock[] {
  const role = kind === "text" || kind === "pdf" ? "paragraph" : "code";
  const lines = text.split(/\r\n|[\n\r]/).filter((line) => line.trim() !== "");
  return lines.slice(0, max).map((line) => ({ role, area: "", text: line.trimEnd() }));
}

export function fitsInPicture(text: string): boolean {
  return text.length <= maxPictured;
}

function page(allowed: string, style: string, content: string): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; ${allowed}`;
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>${content}`;
}
