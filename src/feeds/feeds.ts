import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { FeedAddress, FeedFormat } from "#contract/feed-address.ts";
import { readChanges } from "#history/list-changes.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
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
import { feedTypes, writeFeed } from "./write-feed.ts";

type Deps = { db: Database; secrets: SecretBox; baseUrl: string };

const maxEntries = 50;
const tokenContext = (id: string) => `feed:${id}`;
const hashOf = (token: string) => createHash("sha256").update(token).digest();

function makeToken({ secrets }: Deps, id: string) {
  const token = randomBytes(24).toString("base64url");
  return { token_hash: hashOf(token), token_sealed: secrets.seal(token, tokenContext(id)) };
}

export async function readFeeds(deps: Deps, { accountId }: Actor): Promise<{ feeds: FeedAddress[] }> {
  return { feeds: (await listFeedAddresses(deps.db, accountId)).map((row) => describe(deps, row)) };
}

/** Creates a secret feed address for a job, a group or all jobs; an existing address stays. */
export async function createFeed(
  deps: Deps,
  { accountId }: Actor,
  input: { jobId?: string; groupId?: string },
): Promise<FeedAddress> {
  const { jobId, groupId } = input;
  if (jobId && !(await findJob(deps.db, accountId, jobId))) throw new AppError("NOT_FOUND");
  if (groupId && !(await findGroup(deps.db, accountId, groupId))) throw new AppError("NOT_FOUND");
  const id = randomUUID();
  const feedId = await putFeedAddress(deps.db, {
    id,
    account_id: accountId,
    job_id: jobId ?? null,
    group_id: groupId ?? null,
    ...makeToken(deps, id),
  });
  return readFeedAddress(deps, accountId, feedId);
}

export async function renewFeed(deps: Deps, { accountId }: Actor, id: string): Promise<FeedAddress> {
  if (!(await renewFeedToken(deps.db, accountId, id, makeToken(deps, id)))) throw new AppError("NOT_FOUND");
  return readFeedAddress(deps, accountId, id);
}

export async function deleteFeed(deps: Deps, { accountId }: Actor, id: string): Promise<void> {
  if (!(await deleteFeedAddress(deps.db, accountId, id))) throw new AppError("NOT_FOUND");
}

/** Reads the feed at a secret address, in the format that the feed reader requests. */
export async function readSecretFeed(
  deps: Deps,
  token: string,
  { format, withoutAlert }: { format: FeedFormat; withoutAlert: boolean },
): Promise<{ type: string; text: string }> {
  const row = await findFeedByToken(deps.db, hashOf(token));
  if (!row) throw new AppError("NOT_FOUND");
  const changes = await readChanges(deps, row.account_id, {
    limit: maxEntries,
    onlyAlerted: !withoutAlert,
    onlyShareable: true,
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

async function readFeedAddress(deps: Deps, accountId: string, id: string): Promise<FeedAddress> {
  const row = await findFeedAddress(deps.db, accountId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return describe(deps, row);
}

function describe({ secrets, baseUrl }: Deps, row: FeedAddressRow): FeedAddress {
  const root = `${baseUrl}/api/feed/${secrets.open(row.token_sealed, tokenContext(row.id))}`;
  return {
    id: row.id,
    jobId: row.job_id,
    groupId: row.group_id,
    title: row.job_name ?? row.group_name ?? "All jobs",
    since: row.created_at.toISOString(),
    urls: { atom: `${root}/atom`, rss: `${root}/rss`, json: `${root}/json` },
  };
}
