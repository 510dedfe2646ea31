import type { PgBoss } from "pg-boss";
import type { Choice, Claimed, Use } from "./open-lane.ts";

/**
 * pg-boss's own claim, for tasks that have an owner and a place (its group and the group's tier): what belongs to a full
 * place or a busy owner is passed over. One for each place at a time: who asks again knows by then whether it is full.
 * At a place that owners share, it is one of the owner who was let in there longest ago, whatever the priority.
 */
export async function claim<Data>(
  boss: PgBoss,
  name: string,
  room: number,
  { fullPlaces, busyOwners, perOwner, closed, served }: Choice,
): Promise<Claimed<Data>[]> {
  // Its types do not say so, but a statement with a name is planned once.
  const statement = { name: "claim", text } as unknown as string;
  const columns = (uses: Use[]) => [uses.map(({ place }) => place), uses.map(({ owner }) => owner)];
  const { rows } = await boss
    .getDb()
    .executeSql(statement, [
      name,
      room,
      fullPlaces,
      busyOwners,
      perOwner,
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
