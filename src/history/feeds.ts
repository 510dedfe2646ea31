import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { FeedAddress, FeedFormat } from "#contract/feed-address.ts";
import type { Database } from "#storage/database.ts";
import {
  deleteFeedAddress,
  type FeedAddressRow,
  findFeedAddress,
  findFeedByToken,
  listFeedAddresses,
  putFeedAddress,
  renewFeedToken,
} from "#storage/feed-addresses.ts";
import { findGroup } from "#storage/groups.ts";
import { findJob } from "#storage/jobs.ts";
import type { SecretBox } from "#storage/secret-box.ts";
import { readChanges } from "./list-changes.ts";
import { feedTypes, writeFeed } from "./write-feed.ts";

type Deps = { db: Database; secrets: SecretBox; baseUrl: string };

const entries = 50;
const sealedFor = (id: string) => `feed:${id}`;
const hashOf = (token: string) => createHash("sha256").update(token).digest();

function makeToken({ secrets }: Deps, id: string) {
  const token = randomBytes(24).toString("base64url");
  return { token_hash: hashOf(token), token_sealed: secrets.seal(token, sealedFor(id)) };
}

export async function readFeeds(deps: Deps, { accountId }: Actor): Promise<{ feeds: FeedAddress[] }> {
  return { feeds: (await listFeedAddresses(deps.db, accountId)).map((row) => describe(deps, row)) };
}

/** Makes a secret address for a job, a group or all; the one that is there stays. */
export async function createFeed(
  deps: Deps,
  { accountId }: Actor,
  input: { jobId?: string; groupId?: string },
): Promise<FeedAddress> {
  const { jobId, groupId } = input;
  if (jobId && !(await findJob(deps.db, accountId, jobId))) throw new AppError("NOT_FOUND");
  if (groupId && !(await findGroup(deps.db, accountId, groupId))) throw new AppError("NOT_FOUND");
  const id = randomUUID();
  const kept = await putFeedAddress(deps.db, {
    id,
    account_id: accountId,
    job_id: jobId ?? null,
    group_id: groupId ?? null,
    ...makeToken(deps, id),
  });
  return own(deps, accountId, kept);
}

export async function renewFeed(deps: Deps, { accountId }: Actor, id: string): Promise<FeedAddress> {
  if (!(await renewFeedToken(deps.db, accountId, id, makeToken(deps, id)))) throw new AppError("NOT_FOUND");
  return own(deps, accountId, id);
}

export async function deleteFeed(deps: Deps, { accountId }: Actor, id: string): Promise<void> {
  if (!(await deleteFeedAddress(deps.db, accountId, id))) throw new AppError("NOT_FOUND");
}

/** The feed behind a secret address, as a reader asks for it. */
export async function readFeedOf(
  deps: Deps,
  token: string,
  format: FeedFormat,
): Promise<{ type: string; text: string }> {
  const row = await findFeedByToken(deps.db, hashOf(token));
  if (!row) throw new AppError("NOT_FOUND");
  const changes = await readChanges(deps, row.account_id, {
    limit: entries,
    ...(row.job_id ? { jobId: row.job_id } : {}),
    ...(row.group_id ? { groupId: row.group_id } : {}),
  });
  const { title, urls } = describe(deps, row);
  const feed = {
    id: `urn:uuid:${row.id}`,
    title,
    urls,
    home: `${deps.baseUrl}/dashboard`,
    since: row.created_at,
  };
  return { type: feedTypes[format], text: writeFeed(feed, changes, format) };
}

async function own(deps: Deps, accountId: string, id: string): Promise<FeedAddress> {
  const row = await findFeedAddress(deps.db, accountId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return describe(deps, row);
}

function describe({ secrets, baseUrl }: Deps, row: FeedAddressRow): FeedAddress {
  const root = `${baseUrl}/api/feed/${secrets.open(row.token_sealed, sealedFor(row.id))}`;
  return {
    id: row.id,
    jobId: row.job_id,
    groupId: row.group_id,
    title: row.job_name ?? row.group_name ?? "All jobs",
    since: row.created_at.toISOString(),
    urls: { atom: `${root}/atom`, rss: `${root}/rss`, json: `${root}/json` },
  };
}
