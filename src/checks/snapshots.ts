import type { Snapshot } from "#contract/capture.ts";
import { type Album, keepBytes, keepPicture, openAlbum, readBytes } from "#storage/chains.ts";
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
  const keep = async (bytes: Uint8Array, near?: Buffer) => keepBytes(deps, accountId, bytes, near, album);
  const keepAfter = async (first: Promise<Buffer>) => keep(body, await first);
  const htmlFirst = keep(html, before?.html);
  const [keptHtml, keptBody, keptFacts, keptPicture] = await Promise.all([
    htmlFirst,
    // What the server sent is much like what the browser made of it.
    before ? keep(body, before.body) : keepAfter(htmlFirst),
    keep(facts, before?.facts),
    picture ? keepPicture(deps, accountId, picture.png, before?.picture, album) : null,
  ]);
  return { html: keptHtml, body: keptBody, facts: keptFacts, picture: keptPicture };
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
