import type { Snapshot } from "#contract/capture.ts";
import {
  type Album,
  keepAll,
  keepBytes,
  openAlbum,
  prepareBytes,
  preparePicture,
  readBytes,
} from "#storage/chains.ts";
import type { Kept } from "#storage/executions.ts";
import type { Deps } from "./deps.ts";
import { type KeptBytes, openSnapshot, textOf, toKept } from "./kept-view.ts";

type Storing = Pick<Deps, "db" | "blobs">;

/** Keeps a snapshot, each part as its difference from the same part of the one before. */
export async function keepSnapshot(
  deps: Storing,
  accountId: string,
  snapshot: Snapshot,
  before: Kept | null,
  album: Album,
): Promise<Kept> {
  const { picture } = snapshot;
  const { html, body, facts } = toKept(snapshot);
  const prepare = (bytes: Uint8Array, near?: Buffer) => prepareBytes(deps, accountId, bytes, near, album);
  const keepFirst = async () => ({ hash: await keepBytes(deps, accountId, html, null, album) });
  const packedHtml = before ? prepare(html, before.html) : keepFirst();
  // What the server sent is much like what the browser made of it.
  const packBody = async () => prepare(body, before ? before.body : (await packedHtml).hash);
  const packed = await Promise.all([
    packedHtml,
    packBody(),
    prepare(facts, before?.facts),
    picture ? preparePicture(deps, accountId, picture.png, before?.picture, album) : null,
  ]);
  await keepAll(
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

/** A kept snapshot without its picture, whose pixels are read only where they are needed. */
export async function readSnapshot(deps: Storing, accountId: string, kept: Kept): Promise<Snapshot> {
  return openSnapshot(await readKept(deps, accountId, kept));
}

/** The same as bytes, for who has it opened elsewhere. */
export async function readKept(
  deps: Storing,
  accountId: string,
  kept: Kept,
  album = openAlbum(deps, accountId),
): Promise<KeptBytes> {
  const [html, body, facts] = await Promise.all([
    album.bytes(kept.html),
    album.bytes(kept.body),
    album.bytes(kept.facts),
  ]);
  return { html, body, facts };
}

export async function readText(deps: Storing, accountId: string, hash: Buffer): Promise<string> {
  return textOf(await readBytes(deps, accountId, hash));
}
