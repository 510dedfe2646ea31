import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Deps } from "#checks/deps.ts";
import { type SealedPart, textOf } from "#checks/verify.ts";
import type { Snapshot } from "#contract/capture.ts";
import { type Kept, keptOf } from "#storage/executions.ts";
import { chainFiles, recordFiles, recordOf, type Source, stemOf } from "./export-evidence.ts";
import type { ZipEntry } from "./export-zip.ts";

const pack = promisify(gzip);
const sha256 = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

type WarcRecord = {
  type: string;
  uri: string;
  mime: string;
  status?: number;
  part?: SealedPart;
  block: Buffer;
};
type Facts = Pick<Snapshot, "finalUrl" | "status" | "headers" | "text" | "title" | "contentType">;

/** A web archive collection (WACZ 1.1.1): one WARC for each capture, so that none has to be in memory with another. */
export async function* asWacz(deps: Deps, source: Source): AsyncGenerator<ZipEntry> {
  const resources: { name: string; path: string; hash: string; bytes: number }[] = [];
  for await (const entry of contents(deps, source)) {
    const { name, bytes } = entry;
    resources.push({
      name: name.split("/").at(-1) ?? name,
      path: name,
      hash: sha256(bytes),
      bytes: bytes.length,
    });
    yield entry;
  }
  const about = JSON.stringify(
    {
      profile: "data-package",
      wacz_version: "1.1.1",
      title: source.job.name,
      software: "Watchglass",
      created: new Date().toISOString(),
      mainPageUrl: source.job.url,
      resources,
    },
    null,
    2,
  );
  yield file("datapackage.json", about);
  const digest = { path: "datapackage.json", hash: sha256(Buffer.from(about)) };
  yield file("datapackage-digest.json", JSON.stringify(digest));
}

async function* contents(deps: Deps, { job, about, end, rows, read }: Source): AsyncGenerator<ZipEntry> {
  yield about;
  const index: string[] = [];
  const pages = [JSON.stringify({ format: "json-pages-1.0", id: "pages", title: "All captures" })];
  for await (const row of rows) {
    const { record, statement } = await recordOf(deps, row);
    yield* recordFiles(row, record, statement);
    const kept = keptOf(row);
    if (!kept) continue;
    const facts = JSON.parse(Buffer.from(await read.facts(kept.facts)).toString()) as Facts;
    const name = `${stemOf(row)}.warc.gz`;
    const members: Buffer[] = [];
    let offset = 0;
    for (const one of await recordsOf(read, kept, facts)) {
      const member = await pack(warcRecord(one, row.created_at));
      if (one.uri)
        index.push(indexLine(one, row.created_at, { filename: name, offset, length: member.length }));
      members.push(member);
      offset += member.length;
    }
    // Stored as it is: readers look up single records in it.
    yield {
      name: `archive/${name}`,
      bytes: Buffer.concat(members),
      modified: row.created_at,
      compress: false,
    };
    const title = `${facts.title || facts.finalUrl} (${row.number})`;
    pages.push(JSON.stringify({ id: row.id, url: facts.finalUrl, ts: seconds(row.created_at), title }));
  }
  yield file("indexes/index.cdx", index.sort().join(""));
  yield file("pages/pages.jsonl", pages.map((line) => `${line}\n`).join(""));
  yield* chainFiles(deps, job, end);
}

function file(name: string, text: string): ZipEntry {
  return { name, bytes: Buffer.from(text), modified: new Date(), compress: true };
}

/** A capture as records: what the server sent, then what we made of it under names of archive tools. */
async function recordsOf(read: Source["read"], kept: Kept, facts: Facts): Promise<WarcRecord[]> {
  const url = facts.finalUrl;
  const info = "software: Watchglass\r\nformat: WARC File Format 1.1\r\n";
  const resource = (prefix: string, mime: string, bytes: Uint8Array, part?: SealedPart): WarcRecord => ({
    type: "resource",
    uri: `urn:${prefix}:${url}`,
    mime,
    block: Buffer.from(bytes),
    ...(part ? { part } : {}),
  });
  const body = Buffer.from(await read.body(kept.body));
  return [
    { type: "warcinfo", uri: "", mime: "application/warc-fields", block: Buffer.from(info) },
    {
      type: "response",
      uri: url,
      mime: facts.contentType,
      status: facts.status,
      part: "response",
      block: Buffer.concat([httpHead(facts, body.length), body]),
    },
    resource("dom", "text/html", await read.html(kept.html), "html"),
    resource("text", "text/plain", Buffer.from(textOf(facts))),
    resource("watchglass-facts", "application/json", await read.facts(kept.facts), "facts"),
    ...(kept.picture ? [resource("fullPage", "image/png", await read.picture(kept.picture), "picture")] : []),
  ];
}

/** The body is kept decoded: headers that speak of its coding are renamed, as archives do. */
function httpHead({ status, headers }: Facts, length: number): Buffer {
  const coded = /^(content-encoding|content-length|transfer-encoding)$/;
  const lines = headers.map(
    ([name, value]) =>
      `${coded.test(name) ? "x-archive-orig-" : ""}${name}: ${value.replace(/[\r\n]+/g, " ")}`,
  );
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
  return Buffer.from(`${[first, ...lines, `content-length: ${length}`].join("\r\n")}\r\n\r\n`);
}

const seconds = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;

function warcRecord({ type, uri, mime, part, block }: WarcRecord, at: Date): Buffer {
  const isHttp = type === "response";
  const payload = isHttp ? block.subarray(block.indexOf("\r\n\r\n") + 4) : block;
  const head = [
    "WARC/1.1",
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${crypto.randomUUID()}>`,
    `WARC-Date: ${seconds(at)}`,
    ...(uri ? [`WARC-Target-URI: ${uri}`, `WARC-Payload-Digest: ${sha256(payload)}`] : []),
    `WARC-Block-Digest: ${sha256(block)}`,
    ...(part ? [`Watchglass-Part: ${part}`] : []),
    `Content-Type: ${isHttp ? "application/http; msgtype=response" : mime}`,
    `Content-Length: ${block.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), block, Buffer.from("\r\n\r\n")]);
}

/** A line of the index (CDXJ): the address turned around, so that what belongs together sorts together. */
function indexLine(
  { uri, mime, status, block, type }: WarcRecord,
  at: Date,
  place: { filename: string; offset: number; length: number },
): string {
  const payload = type === "response" ? block.subarray(block.indexOf("\r\n\r\n") + 4) : block;
  const entry = {
    url: uri,
    mime: mime.split(";")[0]?.trim() || "application/octet-stream",
    status: status ?? 200,
    digest: sha256(payload),
    length: place.length,
    offset: place.offset,
    filename: place.filename,
  };
  return `${turned(uri)} ${seconds(at).replace(/\D/g, "")} ${JSON.stringify(entry)}\n`;
}

function turned(uri: string): string {
  if (!/^https?:/.test(uri)) return uri.replaceAll(" ", "%20");
  const { hostname, port, pathname, search } = new URL(uri);
  const host = hostname
    .replace(/^www\./, "")
    .split(".")
    .reverse()
    .join(",");
  return `${host}${port ? `:${port}` : ""})${pathname}${search}`.toLowerCase();
}
