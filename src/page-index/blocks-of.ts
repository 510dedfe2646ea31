import { createHash } from "node:crypto";
import type { Snapshot } from "#contract/capture.ts";
import { type BlockKind, maxSearchLength, type PageBlock } from "#contract/page-block.ts";

/** What a capture's blocks are read from; of a stored one, the facts are enough. */
export type Readable = Pick<
  Snapshot,
  | "finalUrl"
  | "redirects"
  | "status"
  | "headers"
  | "text"
  | "title"
  | "links"
  | "forms"
  | "scripts"
  | "thirdPartyHosts"
  | "cookies"
>;

/** A longer text is split into pieces that overlap, so that a search finds what crosses their border. */
const pieceLength = 4_000;
const maxAddressLength = 2_000;
/** What exceeds these limits isn't indexed: the page's author decides how much that is. */
const maxBlocks = 10_000;
const maxCharacters = 1_000_000;

// Headers whose value differs with every response, or that only describe the transfer.
const passingHeaders =
  /^(?:age|alt-svc|cf-.*|connection|content-(?:length|range|md5)|date|etag|expires|keep-alive|last-modified|nel|report-to|reporting-endpoints|retry-after|server-timing|set-cookie|traceparent|tracestate|transfer-encoding|via|x-.*(?:id|time|timer|runtime|cache|cache-hits|served-by|trace|remaining|reset|duration|hits|date|etag|expires|backend|edge.*))$/;
const nonce = /'(?:nonce|sha(?:256|384|512))-[^']*'/g;
const emailAddress = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;

/** Lists what a page consists of, each thing once. */
export function blocksOf(page: Readable): PageBlock[] {
  const blocks = new Map<string, PageBlock>();
  let left = maxCharacters;
  const add = (kind: BlockKind, value: string) => {
    const text = value.replace(/\s+/g, " ").replaceAll("\0", "␀").toWellFormed().trim();
    const key = `${kind} ${text}`;
    if (text === "" || text.length > left || blocks.size === maxBlocks || blocks.has(key)) return;
    left -= text.length;
    blocks.set(key, { kind, text });
  };
  add("status", String(page.status));
  add("title", page.title);
  for (const host of hostsOf(page)) add("host", host);
  for (const [name, value] of page.headers)
    if (!passingHeaders.test(name)) add("header", `${name}: ${value.replace(nonce, "'nonce'")}`);
  for (const { name } of page.cookies) add("cookie", name);
  for (const { src, sha256 } of page.scripts) {
    if (src) add("script", cutAddress(src));
    add("script-hash", sha256);
  }
  for (const { action, method } of page.forms) add("form", `${method.toUpperCase()} ${cutAddress(action)}`);
  for (const { text } of page.text) {
    if (blocks.size === maxBlocks) break;
    for (const piece of piecesOf(text)) add("text", piece);
    for (const address of emailsIn(text)) add("email", address);
  }
  for (const { href } of page.links) {
    add("link", cutAddress(href));
    for (const address of emailsIn(href.startsWith("mailto:") ? href.slice(7) : "")) add("email", address);
  }
  return [...blocks.values()];
}

function hostsOf({ finalUrl, redirects, thirdPartyHosts }: Readable): string[] {
  const visited = [finalUrl, ...redirects.map(({ url }) => url)].flatMap(
    (url) => URL.parse(url)?.hostname ?? [],
  );
  return [...visited, ...thirdPartyHosts];
}

const emailsIn = (text: string) =>
  text.includes("@") ? Array.from(text.matchAll(emailAddress), ([address]) => address.toLowerCase()) : [];

const cutAddress = (address: string) => address.slice(0, maxAddressLength);

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at === 0 || at + maxSearchLength < text.length; at += pieceLength - maxSearchLength)
    yield text.slice(at, at + pieceLength);
}

/** Names a block within its account. */
export const hashBlock = ({ kind, text }: PageBlock): Buffer =>
  createHash("sha256").update(`${kind}\0${text}`).digest().subarray(0, 16);

/** The same for two captures that consist of the same blocks. */
export function digestBlocks(blocks: PageBlock[]): Buffer {
  const lines = blocks.map(({ kind, text }) => `${kind}\0${text}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest();
}
