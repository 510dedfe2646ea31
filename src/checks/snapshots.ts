import type { Snapshot } from "#contract/capture.ts";
import { type Album, keepBytes, keepPicture, readBytes } from "#storage/chains.ts";
import type { Kept } from "#storage/executions.ts";
import type { Deps } from "./deps.ts";

type Storing = Pick<Deps, "db" | "blobs">;
type Facts = Omit<Snapshot, "html" | "body" | "picture"> & {
  picture: { width: number; height: number } | null;
};

/** Keeps a snapshot, each part as its difference from the same part of the one before. */
export async function keepSnapshot(
  deps: Storing,
  accountId: string,
  snapshot: Snapshot,
  before: Kept | null,
  album: Album,
): Promise<Kept> {
  const { html, body, picture, ...rest } = snapshot;
  const keepAfter = async (first: Promise<Buffer>) => keepBytes(deps, accountId, body, await first);
  const facts: Facts = { ...rest, picture: picture && { width: picture.width, height: picture.height } };
  const htmlFirst = keepBytes(deps, accountId, Buffer.from(html), before?.html);
  const [keptHtml, keptBody, keptFacts, keptPicture] = await Promise.all([
    htmlFirst,
    // What the server sent is much like what the browser made of it.
    before ? keepBytes(deps, accountId, body, before.body) : keepAfter(htmlFirst),
    keepBytes(deps, accountId, Buffer.from(JSON.stringify(facts)), before?.facts),
    picture ? keepPicture(deps, accountId, picture.png, before?.picture, album) : null,
  ]);
  return { html: keptHtml, body: keptBody, facts: keptFacts, picture: keptPicture };
}

/** A kept snapshot without its picture, whose pixels are read only where they are needed. */
export async function readSnapshot(deps: Storing, accountId: string, kept: Kept): Promise<Snapshot> {
  const [html, body, facts] = await Promise.all([
    readText(deps, accountId, kept.html),
    readBytes(deps, accountId, kept.body),
    readText(deps, accountId, kept.facts),
  ]);
  return { ...(JSON.parse(facts) as Facts), html, body, picture: null };
}

export async function readText(deps: Storing, accountId: string, hash: Buffer): Promise<string> {
  return Buffer.from(await readBytes(deps, accountId, hash)).toString("utf8");
}
