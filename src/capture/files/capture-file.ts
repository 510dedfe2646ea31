import type { ContentKind, Snapshot } from "#contract/capture.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import { CdpError } from "../browser/devtools-protocol/cdp-error.ts";
import type { BrowserPool } from "../browser-pool.ts";
import { sha256 } from "../plain-http/http-evidence.ts";
import type { Reader } from "../reader.ts";
import { toFileSnapshot } from "../to-snapshot.ts";
import { fileBlocks, filePage, fitsInPicture } from "./file-page.ts";
import { pictureFile } from "./picture-file.ts";
import { readPdf } from "./read-pdf.ts";

const maxBlocks = 20_000;

type Deps = { pool: BrowserPool; reader: Reader };
type FileContent = { text: string; title: string; picture: Snapshot["picture"]; truncated: boolean };

/** Builds a file's snapshot: its exact bytes, its text if it has any, and a picture drawn without any request. */
export async function captureFile(
  { pool, reader }: Deps,
  response: FetchResponse,
  url: string,
  found: ContentKind,
): Promise<Snapshot> {
  const contentType = response.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const { body } = response;
  // An HTML page offered as a download is treated as a text file.
  const kind = found === "html" ? "text" : found;
  const content = await readAndDraw({ pool, reader }, kind, contentType, body);
  const { text, title, picture, truncated } = content ?? (await drawSummary(pool, contentType, body));
  return toFileSnapshot(response, url, {
    kind,
    contentType,
    html: kind === "other" || kind === "image" ? "" : text,
    text: fileBlocks(kind, text, maxBlocks),
    title,
    picture,
    truncated: truncated || response.truncated,
  });
}

/**
 * Draws again if the browser was killed, which says nothing about the file. Null if the browser can't draw it, for
 * example because it takes too long.
 */
async function tryTwice<T>(draw: () => Promise<T>): Promise<T | null> {
  return draw()
    .catch((error: unknown) => {
      if (!(error instanceof CdpError)) throw error;
      return draw();
    })
    .catch((error: unknown) => {
      if (!(error instanceof CdpError) || error.kind === "gone") throw error;
      return null;
    });
}

function nullOnBrowserError(error: unknown): null {
  if (!(error instanceof CdpError)) throw error;
  return null;
}

async function readAndDraw(
  { pool, reader }: Deps,
  kind: ContentKind,
  contentType: string,
  body: Uint8Array,
): Promise<FileContent | null> {
  if (kind === "other") return null;
  if (kind === "pdf") return tryTwice(() => pool.withOfflineTab((tab) => readPdf(tab, body)));
  const text = kind === "image" ? "" : await reader.decode({ contentType, body });
  // An SVG image is compared by its source text but shown as an image.
  const shownKind = isSvg(contentType) ? "image" : kind;
  const page = filePage(shownKind, contentType, body, text);
  const draw = () => pool.withOfflineTab((tab) => pictureFile(tab, page, shownKind === "image"));
  if (kind !== "image") {
    // A text file can be compared without its picture.
    const drawn = await tryTwice(draw).catch(nullOnBrowserError);
    const picture = drawn && (fitsInPicture(text) ? drawn : { ...drawn, isCut: true });
    return { text, title: "", picture, truncated: false };
  }
  const picture = await tryTwice(draw);
  if (picture === null) return null;
  // The picture is all of an image that can be compared.
  return { text: "", title: "", picture, truncated: picture.isCut === true };
}

/** Draws a summary of content that can't be shown: its type, size and hash. */
async function drawSummary(pool: BrowserPool, contentType: string, body: Uint8Array): Promise<FileContent> {
  const text = `${contentType || "unknown type"}\n${body.length} bytes\nSHA-256 ${await sha256(body)}`;
  const page = filePage("text", "", new Uint8Array(), text);
  const picture = await pool.withOfflineTab((tab) => pictureFile(tab, page, false));
  return { text, title: "", picture, truncated: false };
}

function isSvg(contentType: string): boolean {
  return /^image\/svg\+xml/i.test(contentType);
}
