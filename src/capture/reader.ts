import { gunzipSync } from "node:zlib";
import type { ContentKind, Snapshot } from "#contract/capture.ts";
import type { SiteDifference } from "#contract/site.ts";
import { detectContentKind } from "#detection/file-formats/detect-content-kind.ts";
import { compareInventories, isInventory } from "#detection/file-formats/inventory.ts";
import { readSitePage, type SitePage } from "#detection/site-pages/read-site-page.ts";
import { readSiteList, type SiteList } from "#detection/site-pages/read-sitemap.ts";
import {
  type Earlier,
  findStandIn,
  recognizeErrorWall,
  recognizeStandIn,
  type StandIn,
} from "./bot-walls/recognize-stand-in.ts";
import { type Before, recognizeWall, type Seen, type Wall } from "./bot-walls/recognize-wall.ts";
import { sketchText } from "./bot-walls/text-sketch.ts";
import { decodeText } from "./character-encoding/decode-text.ts";
import { needsScript } from "./plain-http/http-evidence.ts";

type Bytes = Pick<Snapshot, "contentType" | "body">;
type Recognized = {
  wall: Wall | null;
  /** The wall that an error page is; it counts only if the page isn't watched for its error. */
  errorWall: Wall | null;
  standIn: StandIn | null;
  needsScript: boolean;
  textSketch: number[];
};

/** Reads captured content. Its author controls how much that costs, so it is done in a worker thread. */
export type Reader = {
  kindOf(input: Bytes & { url: string }): Promise<ContentKind>;
  decode(input: Bytes): Promise<string>;
  /** Undefined when it takes too long. `sent` is searched for the visible text; null if the result does not matter. */
  recognize(input: {
    seen: Seen;
    before: (Before & Earlier) | null;
    sent: Bytes | null;
    hasPassword: boolean;
  }): Promise<Recognized | undefined>;
  /** What a page of a site says and where it leads; undefined when that takes too long. */
  sitePage(input: Bytes & { url: string; obeysRobots: boolean }): Promise<SitePage | undefined>;
  /** The addresses of a sitemap or feed, which may be a gzip file; undefined when that takes too long. */
  siteList(input: Bytes): Promise<SiteList | undefined>;
  /** Everything that differs between two inventories; undefined when that takes too long. */
  siteDifference(input: {
    before: string;
    after: string;
    offset: number;
    limit: number;
  }): Promise<SiteDifference | undefined>;
};

/** The same functions, run in the calling thread. */
export const read: {
  [Name in keyof Reader]: (input: Parameters<Reader[Name]>[0]) => Awaited<ReturnType<Reader[Name]>>;
} = {
  kindOf: ({ contentType, url, body }) => detectContentKind(contentType, url, body),
  decode: ({ contentType, body }) => decodeText(contentType, body),
  recognize: ({ seen, before, sent, hasPassword }) => ({
    wall: recognizeWall(seen, before) ?? recognizeStandIn(seen, before),
    errorWall: recognizeErrorWall(seen, hasPassword),
    standIn: findStandIn(seen, before),
    textSketch: sketchText(seen.text),
    needsScript: sent === null || needsScript(decodeText(sent.contentType, sent.body), seen.text),
  }),
  sitePage: ({ contentType, body, url, obeysRobots }) =>
    readSitePage(decodeText(contentType, body), url, obeysRobots),
  siteDifference({ before, after, offset, limit }) {
    const isComparable = isInventory(before) && isInventory(after);
    const found = isComparable ? compareInventories(before, after).found : [];
    const differences = found
      .slice(offset, offset + limit)
      .map(({ place, before: old, after: now, sentence }) => ({
        address: place,
        before: old,
        after: now,
        sentence: sentence ?? "",
      }));
    return { differences, total: found.length };
  },
  siteList({ contentType, body }) {
    const unpacked = unpack(body);
    return typeof unpacked === "string"
      ? { kind: "pages", addresses: [], isCut: false, problem: unpacked }
      : readSiteList(decodeText(contentType, unpacked));
  },
};

const MiB = 1024 * 1024;
const maxUnpackedList = 50 * MiB;

/** A sitemap is often a gzip file by itself. Returns why, if it can't be unpacked. */
function unpack(body: Uint8Array): Uint8Array | string {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxUnpackedList });
  } catch (error) {
    return (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE"
      ? `unpacks to more than ${maxUnpackedList / MiB} MiB`
      : "is a damaged gzip file";
  }
}
