import { sql } from "kysely";
import { commitSoon, type Database } from "../database.ts";
import { inBatches } from "../in-batches.ts";

export type Kind = "bytes" | "picture";
/** What another content may be kept as a difference from. */
export type Link = { hash: Buffer; kind: Kind; depth: number };

type Name = { accountId: string; hash: Buffer };
type Place = { blob: Buffer; base: Buffer | null; depth: number; stored_bytes: number };
type Content = Name & Place & { kind: Kind; source: Buffer | null };
type Step = { hash: Buffer; blob: Buffer; base: Buffer | null };
type Found = {
  /** Where it is kept already; if so it is safe from collection for an hour. */
  kept: Pick<Place, "blob" | "stored_bytes"> | undefined;
  near: Link | undefined;
};

/** The table of contents. What is asked of it at the same time is asked together. */
export type Contents = {
  find(asked: Name & { near: Buffer | null }): Promise<Found>;
  /** A content and all that it builds on, down to the keyframe. */
  chain(name: Name): Promise<Step[]>;
  /** Throws when the account is gone. */
  add(content: Content): Promise<void>;
  assertAccount(id: string): Promise<void>;
};

const opened = new WeakMap<Database, Contents>();

export function contentsOf(db: Database): Contents {
  const known = opened.get(db) ?? {
    find: inBatches((asked: (Name & { near: Buffer | null })[]) => findAll(db, asked)),
    chain: inBatches((names: Name[]) => findChains(db, names)),
    add: inBatches((contents: Content[]) => addAll(db, contents)),
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

// In one order for all, so that two transactions never wait for each other.
const byName = (a: Name, b: Name) =>
  a.accountId === b.accountId ? Buffer.compare(a.hash, b.hash) : a.accountId < b.accountId ? -1 : 1;

async function addAll(db: Database, contents: Content[]): Promise<void[]> {
  await db.transaction().execute(async (tx) => {
    // On disk with what refers to it, at the latest.
    await commitSoon(tx);
    const sorted = contents.toSorted(byName);
    const byAccount = Map.groupBy(sorted, ({ accountId }) => accountId);
    await assertAccounts(tx, [...byAccount.keys()]);
    const added = await tx
      .insertInto("contents")
      .values(sorted.map(({ accountId, ...content }) => ({ account_id: accountId, ...content })))
      .onConflict((conflict) => conflict.doNothing())
      .returning(["account_id", "hash"])
      .execute();
    const isNew = new Set(added.map(({ account_id, hash }) => nameOf(account_id, hash)));
    const replaced: (Name & Pick<Place, "base" | "stored_bytes">)[] = [];
    for (const content of sorted)
      if (!isNew.delete(nameOf(content.accountId, content.hash))) replaced.push(await replace(tx, content));
    const before = Map.groupBy(replaced, ({ accountId }) => accountId);
    for (const [accountId, own] of byAccount) {
      await addRefs(tx, accountId, basesOf(own), 1);
      await addRefs(tx, accountId, basesOf(before.get(accountId)), -1);
    }
    for (const [accountId, own] of byAccount)
      await addStoredBytes(tx, accountId, bytesOf(own) - bytesOf(before.get(accountId)));
  });
  return contents.map(() => undefined);
}

const nameOf = (accountId: string, hash: Buffer) => `${accountId} ${hash.toString("hex")}`;
const basesOf = (places: Pick<Place, "base">[] = []) => places.flatMap(({ base }) => base ?? []);
const bytesOf = (places: Pick<Place, "stored_bytes">[] = []) =>
  places.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0);

/** Nothing is kept for an account that is gone; within a transaction it stays until that ends. */
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

/** Points a row, whose file is not there (yet), at another file; answers what it pointed at. */
async function replace(
  tx: Database,
  { accountId, hash, blob, base, depth, stored_bytes }: Content,
): Promise<Name & Pick<Place, "base" | "stored_bytes">> {
  const { rows } = await sql<Pick<Place, "base" | "stored_bytes">>`
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
  if (!row) throw new Error("a content disappeared while it was kept");
  return { accountId, hash, ...row };
}

/** Counts references to contents; throws when one of them is gone, so that nothing ever refers to nothing. */
export async function addRefs(tx: Database, accountId: string, hashes: Buffer[], by: 1 | -1): Promise<void> {
  if (hashes.length === 0) return;
  const times = new Map<string, number>();
  for (const hash of hashes) times.set(hash.toString("hex"), (times.get(hash.toString("hex")) ?? 0) + by);
  // In one order for all, so that two transactions never wait for each other.
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
