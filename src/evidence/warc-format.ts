// What the web archive (WACZ) of an export is made of. The server writes these bytes, and the verifier derives them again
// from the sealed parts and compares them. This file becomes part of the verifier, so it imports nothing but Node.
import { STATUS_CODES } from "node:http";
import { hashText, type SealedPart, textOf } from "./seal-format.ts";

const sha256 = (bytes: Uint8Array) => `sha256:${hashText(bytes)}`;

export type WarcFacts = {
  finalUrl: string;
  status: number;
  headers: [string, string][];
  text: { text: string }[];
  title: string;
  contentType: string;
};
export type WarcParts = { html: Buffer; response: Buffer; facts: Buffer; picture: Buffer | null };
/** A record before it is written. */
export type WarcRecord = {
  type: string;
  uri: string;
  mime: string;
  status?: number;
  part?: SealedPart;
  block: Buffer;
};

/** A capture as records: the server's response, then what we made of it, named as archive tools do. */
export function warcRecordsOf(
  { html, response, facts, picture }: WarcParts,
  /** The words after the status; those of this version of Node by default. */
  reason?: string,
): WarcRecord[] {
  const known = JSON.parse(facts.toString()) as WarcFacts;
  const url = known.finalUrl;
  const info = "software: Watchglass\r\nformat: WARC File Format 1.1\r\n";
  const resource = (prefix: string, mime: string, block: Buffer, part?: SealedPart): WarcRecord => ({
    type: "resource",
    uri: `urn:${prefix}:${url}`,
    mime,
    block,
    ...(part ? { part } : {}),
  });
  return [
    { type: "warcinfo", uri: "", mime: "application/warc-fields", block: Buffer.from(info) },
    {
      type: "response",
      uri: url,
      mime: known.contentType,
      status: known.status,
      part: "response",
      block: Buffer.concat([httpHead(known, response.length, reason), response]),
    },
    resource("dom", "text/html", html, "html"),
    resource("text", "text/plain", Buffer.from(textOf(known))),
    resource("watchglass-facts", "application/json", facts, "facts"),
    ...(picture ? [resource("fullPage", "image/png", picture, "picture")] : []),
  ];
}

/** The body is stored decoded, so headers about its encoding are renamed, as archives do. */
function httpHead(
  { status, headers }: WarcFacts,
  length: number,
  reason = STATUS_CODES[status] ?? "",
): Buffer {
  const encodingHeaders = /^(content-encoding|content-length|transfer-encoding)$/;
  const lines = headers.map(
    ([name, value]) =>
      `${encodingHeaders.test(name) ? "x-archive-orig-" : ""}${name}: ${value.replace(/[\r\n]+/g, " ")}`,
  );
  const first = `HTTP/1.1 ${status} ${reason}`.trimEnd();
  return Buffer.from(`${[first, ...lines, `content-length: ${length}`].join("\r\n")}\r\n\r\n`);
}

/** An ISO date as archives write it: in whole seconds. */
const wholeSeconds = (at: string) => `${at.slice(0, 19)}Z`;

const payloadOf = ({ type, block }: Pick<WarcRecord, "type" | "block">) =>
  type === "response" ? block.subarray(block.indexOf("\r\n\r\n") + 4) : block;

/** Writes a record. Its id follows from its content, so that a second export of the same capture is the same. */
export function writeWarcRecord(record: WarcRecord, execution: string, at: string, id?: string): Buffer {
  const { type, uri, mime, part, block } = record;
  const head = [
    "WARC/1.1",
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${id ?? recordId(execution, uri)}>`,
    `WARC-Date: ${wholeSeconds(at)}`,
    ...(uri ? [`WARC-Target-URI: ${uri}`, `WARC-Payload-Digest: ${sha256(payloadOf(record))}`] : []),
    `WARC-Block-Digest: ${sha256(block)}`,
    ...(part ? [`Watchglass-Part: ${part}`] : []),
    `Content-Type: ${type === "response" ? "application/http; msgtype=response" : mime}`,
    `Content-Length: ${block.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), block, Buffer.from("\r\n\r\n")]);
}

/** A version 8 UUID, which is one of our own making. */
const recordId = (execution: string, uri: string) =>
  hashText(`${execution} ${uri}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");

/** A line of the index (CDXJ). Its key is the URL with a reversed host, so that pages of one site sort together. */
export function indexLine(
  record: WarcRecord,
  at: string,
  location: { filename: string; offset: number; length: number },
): string {
  const { uri, mime, status } = record;
  const entry = {
    url: uri,
    mime: mime.split(";")[0]?.trim() || "application/octet-stream",
    status: status ?? 200,
    digest: sha256(payloadOf(record)),
    length: location.length,
    offset: location.offset,
    filename: location.filename,
  };
  return `${toSortKey(uri)} ${wholeSeconds(at).replace(/\D/g, "")} ${JSON.stringify(entry)}\n`;
}

function toSortKey(uri: string): string {
  if (!/^https?:/.test(uri)) return uri.replaceAll(" ", "%20");
  const { hostname, port, pathname, search } = new URL(uri);
  const host = hostname
    .replace(/^www\./, "")
    .split(".")
    .reverse()
    .join(",");
  return `${host}${port ? `:${port}` : ""})${pathname}${search}`.toLowerCase();
}

/** The index, of lines in any order. */
export const writeIndex = (lines: string[]) => [...lines].sort().join("");

/** The list of pages that archive tools show. */
export function writePages(captures: { id: string; number: number; at: string; facts: WarcFacts }[]): string {
  const head = { format: "json-pages-1.0", id: "pages", title: "All captures" };
  const pages = captures.map(({ id, number, at, facts }) => ({
    id,
    url: facts.finalUrl,
    ts: wholeSeconds(at),
    title: `${facts.title || facts.finalUrl} (${number})`,
  }));
  return [head, ...pages].map((line) => `${JSON.stringify(line)}\n`).join("");
}

export type Resource = { path: string; hash: string; bytes: number };

/** The description of a WACZ and the file with its hash. */
export function writeDataPackage(
  { name, url, created }: { name: string; url: string; created: string },
  resources: Resource[],
): { description: string; digest: string } {
  const description = JSON.stringify(
    {
      profile: "data-package",
      wacz_version: "1.1.1",
      title: name,
      software: "Watchglass",
      created,
      mainPageUrl: url,
      resources: resources.map(({ path, hash, bytes }) => ({
        name: path.split("/").at(-1) ?? path,
        path,
        hash: `sha256:${hash}`,
        bytes,
      })),
    },
    null,
    2,
  );
  const digest = JSON.stringify({ path: "datapackage.json", hash: sha256(Buffer.from(description)) });
  return { description, digest };
}
