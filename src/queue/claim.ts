import type { PgBoss } from "pg-boss";

/** One attempt at a task; a retry of the same task is another attempt. */
export type Attempt = { id: string; retryCount: number };

export type Claimed<Data = object> = Attempt & {
  data: Data;
  expireInSeconds: number;
  /** Its owner and its place, such as the host that it requests. */
  groupId?: string | null;
  groupTier?: string | null;
};

/** A place, such as a host, as used by one owner. */
type Use = { place: string; owner: string };

/** Which tasks are not claimed now, and how many of one owner at once. */
export type Choice = {
  fullPlaces: string[];
  busyOwners: string[];
  maxPerOwner: number;
  /** Places that are full for one owner only. */
  closed: Use[];
  /** Who was served at places that several owners share, oldest first: the owner who waited longest is next there. */
  served: Use[];
};

/**
 * pg-boss's own claim, extended for tasks that have an owner and a place, such as a host (pg-boss's group and tier): it
 * skips tasks of full places and busy owners. It claims one task per place at a time, because the next claim then knows
 * whether the place is full. At a place that owners share, the owner served longest ago is next, whatever the priority.
 */
export async function claim<Data>(
  boss: PgBoss,
  name: string,
  room: number,
  { fullPlaces, busyOwners, maxPerOwner, closed, served }: Choice,
): Promise<Claimed<Data>[]> {
  // pg-boss's types do not allow it, but a statement with a name is planned only once.
  const statement = { name: "claim", text } as unknown as string;
  const columns = (uses: Use[]) => [uses.map(({ place }) => place), uses.map(({ owner }) => owner)];
  const { rows } = await boss
    .getDb()
    .executeSql(statement, [
      name,
      room,
      fullPlaces,
      busyOwners,
      maxPerOwner,
      ...columns(closed),
      ...columns(served),
    ]);
  return rows as Claimed<Data>[];
}

const mayBegin = `name = $1 and state < 'active' and not blocked and start_after <= now()
      and (group_tier is null or group_tier <> all($3::text[]))
      and (group_id is null or group_id <> all($4::text[]))
      and (group_tier is null or group_tier <> all($6::text[])
        or (group_tier, group_id) not in (select * from unnest($6::text[], $7::text[])))`;

const text = `
  with turns as (
    select * from unnest($8::text[], $9::text[]) with ordinality as served (place, owner, turn)
  ), next as (
    select distinct on (group_tier) group_tier, group_id from pgboss.job
    left join turns on place = group_tier and owner = group_id
    where ${mayBegin} and group_tier = any($8::text[])
    order by group_tier, coalesce(turn, 0), priority desc, created_on
  ), waiting as (
    select id, group_id, group_tier, priority, created_on from pgboss.job
    where ${mayBegin}
      and (group_tier is null or group_tier <> all($8::text[])
        or (group_tier, group_id) in (select group_tier, group_id from next))
    order by priority desc, created_on
    limit $2
    for update skip locked
  ), ranked as (
    select id,
      case when group_tier is null then 1 else row_number() over (partition by group_tier order by priority desc, created_on) end as of_place,
      case when group_id is null then 1 else row_number() over (partition by group_id order by priority desc, created_on) end as of_owner
    from waiting
  )
  update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when started_on is not null then retry_count + 1 else retry_count end
  where name = $1 and id = any(array(select id from ranked where of_place = 1 and of_owner <= $5))
  returning id, data, retry_count as "retryCount", expire_seconds as "expireInSeconds",
    group_id as "groupId", group_tier as "groupTier"`;

/** Claims everything. */
export const skipNothing: Choice = {
  fullPlaces: [],
  busyOwners: [],
  maxPerOwner: Infinity,
  closed: [],
  served: [],
};

/** Whether `one` skips everything that `other` skips. */
export function isNarrower(one: Choice = skipNothing, other: Choice): boolean {
  const isAll = (some: string[], all: string[]) => some.every((each) => all.includes(each));
  const isClosed = ({ place, owner }: Use) =>
    one.fullPlaces.includes(place) || one.closed.some((use) => use.place === place && use.owner === owner);
  return (
    isAll(other.fullPlaces, one.fullPlaces) &&
    isAll(other.busyOwners, one.busyOwners) &&
    other.closed.every(isClosed)
  );
}
