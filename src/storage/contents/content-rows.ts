import { sql } from "kysely";
import { allowAsyncCommit, type Database } from "../database.ts";
import { inBatches } from "../in-batches.ts";

export type Kind = "bytes" | "picture";
/** A content that another may be stored as a difference from. */
export type Link = { hash: Buffer; kind: Kind; depth: number };

type Name = { accountId: string; hash: Buffer };
type BlobInfo = { blob: Buffer; base: Buffer | null; depth: number; stored_bytes: number };
type Content = Name & BlobInfo & { kind: Kind; source: Buffer | null };
type Step = { hash: Buffer; blob: Buffer; base: Buffer | null };
type Found = {
  /** Where it is stored, if it is; it is then safe from collection for an hour. */
  kept: Pick<BlobInfo, "blob" | "stored_bytes"> | undefined;
  near: Link | undefined;
};

/** The table `contents`. Queries that are made at the same time are batched. */
export type Contents = {
  find(asked: Name & { near: Buffer | null }): Promise<Found>;
  /** A content and all that it builds on, down to the keyframe. */
  chain(name: Name): Promise<Step[]>;
  /** Adds a row; false if there is one. Throws when the account is gone. */
  add(content: Content): Promise<boolean>;
  /** Points a row at another file, which must be stored already: others may refer to the row. False if it is gone. */
  replace(content: Content): Promise<boolean>;
  assertAccount(id: string): Promise<void>;
};

const opened = new WeakMap<Database, Contents>();

export function contentsOf(db: Database): Contents {
  const known = opened.get(db) ?? {
    find: inBatches((asked: (Name & { near: Buffer | null })[]) => findAll(db, asked)),
    chain: inBatches((names: Name[]) => findChains(db, names)),
    add: inBatches((contents: Content[]) => addAll(db, contents)),
    replace: inBatches((contents: Content[]) => replaceAll(db, contents)),
    assertAccount: inBatches(async (ids: string[]) => {
      await assertAccounts(db, ids);
      return ids.map(() => undefined);
    }),
  };
  opened.set(db, known);
  return known;
}

async function findAll(db: Database, asked: (Name & { near: Buffer | null })[]): Promise<Found[]> {
  type Row = { blob: Buffer | null; stored_bytes: number; hash: Buffer | null; kind: Kind; depth: number };
  const { rows } = await sql<Row>`
    with asked as (
      select * from unnest(${asked.map(({ accountId }) => accountId)}::uuid[], ${asked.map(({ hash }) => hash)}::bytea[],
        ${asked.map(({ near }) => near)}::bytea[]) with ordinality as asked (account_id, hash, near, position)
    ), locked as materialized (
      select account_id, hash from contents
      where (account_id, hash) in (select account_id, hash from asked) order by account_id, hash for update
    ), touched as (
      update contents set touched_at = now() from locked
      where contents.account_id = locked.account_id and contents.hash = locked.hash
      returning contents.account_id, contents.hash, contents.blob, contents.stored_bytes
    )
    select touched.blob, touched.stored_bytes, near.hash, near.kind, near.depth from asked
    left join touched on touched.account_id = asked.account_id and touched.hash = asked.hash
    left join contents as near on near.account_id = asked.account_id and near.hash = asked.near
    order by asked.position
  `.execute(db);
  return rows.map(({ blob, stored_bytes, hash, kind, depth }) => ({
    kept: blob ? { blob, stored_bytes } : undefined,
    near: hash ? { hash, kind, depth } : undefined,
  }));
}

async function findChains(db: Database, names: Name[]): Promise<Step[][]> {
  const { rows } = await sql<Step & { position: number }>`
    with recursive chain as (
      select position::integer, contents.account_id, contents.hash, blob, base, 0 as step
      from unnest(${names.map(({ accountId }) => accountId)}::uuid[], ${names.map(({ hash }) => hash)}::bytea[])
        with ordinality as asked (account_id, hash, position)
      join contents on contents.account_id = asked.account_id and contents.hash = asked.hash
      union all
      select position, contents.account_id, contents.hash, contents.blob, contents.base, step + 1 from chain
      join contents on contents.account_id = chain.account_id and contents.hash = chain.base
    )
    select position, hash, blob, base from chain order by position, step
  `.execute(db);
  const chains = Map.groupBy(rows, ({ position }) => position - 1);
  return names.map((_, i) => chains.get(i) ?? []);
}

// Always in the same order, so that two transactions never wait for each other.
const byName = (a: Name, b: Name) =>
  a.accountId === b.accountId ? Buffer.compare(a.hash, b.hash) : a.accountId < b.accountId ? -1 : 1;

async function addAll(db: Database, contents: Content[]): Promise<boolean[]> {
  const isNew = await db.transaction().execute(async (tx) => {
    // It is on disk with the transaction that refers to it, at the latest.
    await allowAsyncCommit(tx);
    const sorted = contents.toSorted(byName);
    await assertAccounts(
      tx,
      sorted.map(({ accountId }) => accountId),
    );
    const rows = await tx
      .insertInto("contents")
      .values(sorted.map(({ accountId, ...content }) => ({ account_id: accountId, ...content })))
      .onConflict((conflict) => conflict.doNothing())
      .returning(["account_id", "hash"])
      .execute();
    const names = new Set(rows.map(({ account_id, hash }) => nameOf(account_id, hash)));
    const added = new Set(sorted.filter(({ accountId, hash }) => names.delete(nameOf(accountId, hash))));
    await countChange(tx, [...added], []);
    return added;
  });
  return contents.map((content) => isNew.has(content));
}

async function replaceAll(db: Database, contents: Content[]): Promise<boolean[]> {
  const isThere = await db.transaction().execute(async (tx) => {
    await allowAsyncCommit(tx);
    const sorted = contents.toSorted(byName);
    await assertAccounts(
      tx,
      sorted.map(({ accountId }) => accountId),
    );
    const replaced = new Map<Content, Counted>();
    for (const content of sorted) {
      const old = await replace(tx, content);
      if (old) replaced.set(content, old);
    }
    await countChange(tx, [...replaced.keys()], [...replaced.values()]);
    return replaced;
  });
  return contents.map((content) => isThere.has(content));
}

type Counted = Pick<Content, "accountId" | "base" | "stored_bytes">;

/** Counts the bytes of rows, and their references to the contents that they build on. */
async function countChange(tx: Database, added: Counted[], removed: Counted[]): Promise<void> {
  const removedByAccount = Map.groupBy(removed, ({ accountId }) => accountId);
  const byAccount = Map.groupBy(added, ({ accountId }) => accountId);
  for (const [accountId, own] of byAccount) {
    await addRefs(tx, accountId, basesOf(own), 1);
    await addRefs(tx, accountId, basesOf(removedByAccount.get(accountId)), -1);
  }
  for (const [accountId, own] of byAccount)
    await addStoredBytes(tx, accountId, bytesOf(own) - bytesOf(removedByAccount.get(accountId)));
}

const nameOf = (accountId: string, hash: Buffer) => `${accountId} ${hash.toString("hex")}`;
const basesOf = (blobs: Pick<BlobInfo, "base">[] = []) => blobs.flatMap(({ base }) => base ?? []);
const bytesOf = (blobs: Pick<BlobInfo, "stored_bytes">[] = []) =>
  blobs.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0);

/** Throws if an account was deleted; within a transaction, none of them can be deleted until it ends. */
async function assertAccounts(db: Database, ids: string[]): Promise<void> {
  const unique = new Set(ids);
  const rows = await db
    .selectFrom("accounts")
    .select("id")
    .where("id", "in", [...unique])
    .orderBy("id")
    .forKeyShare()
    .execute();
  if (rows.length !== unique.size) throw new Error("the account was deleted while something was kept for it");
}

/** Points a row whose file is missing, or not written yet, at another file; returns what it pointed at. */
async function replace(
  tx: Database,
  { accountId, hash, blob, base, depth, stored_bytes }: Content,
): Promise<Counted | undefined> {
  const { rows } = await sql<Pick<BlobInfo, "base" | "stored_bytes">>`
    with old as (
      select account_id, hash, base, stored_bytes from contents
      where account_id = ${accountId} and hash = ${hash} for update
    )
    update contents set blob = ${blob}, base = ${base}, depth = ${depth},
      stored_bytes = ${stored_bytes}, touched_at = now()
    from old where contents.account_id = old.account_id and contents.hash = old.hash
    returning old.base, old.stored_bytes
  `.execute(tx);
  const [row] = rows;
  return row && { accountId, ...row };
}

/** Counts references to contents; throws when a content is gone, so that no reference is ever dangling. */
export async function addRefs(tx: Database, accountId: string, hashes: Buffer[], by: 1 | -1): Promise<void> {
  if (hashes.length === 0) return;
  const times = new Map<string, number>();
  for (const hash of hashes) times.set(hash.toString("hex"), (times.get(hash.toString("hex")) ?? 0) + by);
  // Always in the same order, so that two transactions never wait for each other.
  const sorted = [...times].sort(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await sql<{ hash: Buffer }>`
    with locked as materialized (
      select contents.hash, change.by from contents
      join unnest(${sorted.map(([name]) => Buffer.from(name, "hex"))}::bytea[], ${sorted.map(([, count]) => count)}::integer[])
        as change (hash, by) using (hash)
      where account_id = ${accountId}
      order by contents.hash
      for update of contents
    )
    update contents set refs = refs + locked.by, touched_at = case when locked.by > 0 then now() else touched_at end
    from locked where account_id = ${accountId} and contents.hash = locked.hash
    returning contents.hash
  `.execute(tx);
  if (by > 0 && rows.length !== sorted.length)
    throw new Error("a content disappeared before it was referred to");
}

export async function addStoredBytes(tx: Database, accountId: string, bytes: number): Promise<void> {
  await sql`
    insert into account_usage (account_id, stored_bytes)
    select id, greatest(${bytes}::bigint, 0) from accounts where id = ${accountId}
    on conflict (account_id) do update set stored_bytes = greatest(account_usage.stored_bytes + ${bytes}::bigint, 0)
  `.execute(tx);
}
