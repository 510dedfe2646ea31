import type { Snapshot } from "#contract/capture.ts";
import {
  type CaptureCache,
  openCaptureCache,
  prepareBytes,
  preparePicture,
  readBytes,
  storeBytes,
  storeContents,
} from "#storage/contents.ts";
import type { Kept } from "#storage/executions.ts";
import type { Deps } from "./deps.ts";
import { openSnapshot, type StoredCapture, textOf, toStoredCapture } from "./stored-capture.ts";

type Storing = Pick<Deps, "db" | "blobs">;

/** Stores a capture, each part as its difference from the same part of the previous one. */
export async function storeCapture(
  deps: Storing,
  accountId: string,
  snapshot: Snapshot,
  previous: Kept | null,
  cache: CaptureCache,
): Promise<Kept> {
  const { picture } = snapshot;
  const { html, body, facts } = toStoredCapture(snapshot);
  const prepare = (bytes: Uint8Array, near?: Buffer) => prepareBytes(deps, accountId, bytes, near, cache);
  const keepFirst = async () => ({ hash: await storeBytes(deps, accountId, html, null, cache) });
  const packedHtml = previous ? prepare(html, previous.html) : keepFirst();
  // The response body is similar to the HTML that the browser made of it.
  const packBody = async () => prepare(body, previous ? previous.body : (await packedHtml).hash);
  const packed = await Promise.all([
    packedHtml,
    packBody(),
    prepare(facts, previous?.facts),
    picture ? preparePicture(deps, accountId, picture.png, previous?.picture, cache) : null,
  ]);
  await storeContents(
    deps,
    accountId,
    packed.filter((one) => one !== null),
  );
  const [keptHtml, keptBody, keptFacts, keptPicture] = packed;
  return {
    html: keptHtml.hash,
    body: keptBody.hash,
    facts: keptFacts.hash,
    picture: keptPicture?.hash ?? null,
  };
}

/** Reads a stored capture without its picture, whose pixels are read only where they are needed. */
export async function readSnapshot(deps: Storing, accountId: string, kept: Kept): Promise<Snapshot> {
  return openSnapshot(await readStoredCapture(deps, accountId, kept));
}

/** The same as bytes, for callers that have it parsed elsewhere. */
export async function readStoredCapture(
  deps: Storing,
  accountId: string,
  kept: Kept,
  cache = openCaptureCache(deps, accountId),
): Promise<StoredCapture> {
  const [html, body, facts] = await Promise.all([
    cache.bytes(kept.html),
    cache.bytes(kept.body),
    cache.bytes(kept.facts),
  ]);
  return { html, body, facts };
}

export async function readText(deps: Storing, accountId: string, hash: Buffer): Promise<string> {
  return textOf(await readBytes(deps, accountId, hash));
}
