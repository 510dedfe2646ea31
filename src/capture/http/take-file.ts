import type { ContentKind, Snapshot } from "#contract/capture.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import { CdpError } from "../browser/cdp-error.ts";
import { pictureFile } from "../browser/picture-file.ts";
import { readPdf } from "../browser/read-pdf.ts";
import type { BrowserPool } from "../browser-pool.ts";
import { sha256 } from "../evidence.ts";
import type { Reader } from "../reader.ts";
import { fileSnapshot } from "../to-snapshot.ts";
import { fileBlocks, filePage, isPicturedWhole } from "./file-page.ts";

const maxBlocks = 20_000;

type Deps = { pool: BrowserPool; reader: Reader };
type Seen = { text: string; title: string; picture: Snapshot["picture"]; truncated: boolean };

/** A file as a snapshot: its exact bytes, its text where it has any, and a picture, made without any request. */
export async function takeFile(
  { pool, reader }: Deps,
  response: FetchResponse,
  url: string,
  found: ContentKind,
): Promise<Snapshot> {
  const contentType = response.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const { body } = response;
  // A page offered as a download is a file to its readers.
  const kind = found === "html" ? "text" : found;
  const seen = await look({ pool, reader }, kind, contentType, body);
  const { text, title, picture, truncated } = seen ?? (await card(pool, contentType, body));
  return fileSnapshot(response, url, {
    kind,
    contentType,
    html: kind === "other" || kind === "image" ? "" : text,
    text: fileBlocks(kind, text, maxBlocks),
    title,
    picture,
    truncated: truncated || response.truncated,
  });
}

/** A browser that somebody ended says nothing of the file: another tries once more. Null for what takes it too long. */
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

function unlessEnded(error: unknown): null {
  if (!(error instanceof CdpError)) throw error;
  return null;
}

async function look(
  { pool, reader }: Deps,
  kind: ContentKind,
  contentType: string,
  body: Uint8Array,
): Promise<Seen | null> {
  if (kind === "other") return null;
  if (kind === "pdf") return tryTwice(() => pool.withOfflineTab((tab) => readPdf(tab, body)));
  const text = kind === "image" ? "" : await reader.decode({ contentType, body });
  // A vector image is compared as what it says and shown as what it draws.
  const shown = isSvg(contentType) ? "image" : kind;
  const page = filePage(shown, contentType, body, text);
  const draw = () => pool.withOfflineTab((tab) => pictureFile(tab, page, shown === "image"));
  if (kind !== "image") {
    // What a text says is known without its picture.
    const drawn = await tryTwice(draw).catch(unlessEnded);
    const picture = drawn && (isPicturedWhole(text) ? drawn : { ...drawn, isCut: true });
    return { text, title: "", picture, truncated: false };
  }
  const picture = await tryTwice(draw);
  if (picture === null) return null;
  // Of an image the picture is all that can be compared.
  return { text: "", title: "", picture, truncated: picture.isCut === true };
}

/** What can be said of content that nobody can draw. */
async function card(pool: BrowserPool, contentType: string, body: Uint8Array): Promise<Seen> {
  const text = `${contentType || "unknown type"}\n${body.length} bytes\nSHA-256 ${await sha256(body)}`;
  const page = filePage("text", "", new Uint8Array(), text);
  const picture = await pool.withOfflineTab((tab) => pictureFile(tab, page, false));
  return { text, title: "", picture, truncated: false };
}

function isSvg(contentType: string): boolean {
  return /^image\/svg\+xml/i.test(contentType);
}
