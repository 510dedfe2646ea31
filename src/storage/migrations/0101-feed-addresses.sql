-- Secret addresses under which changes can be read as a feed: of a job, of a group, or of all.
create table feed_addresses (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  job_id uuid references jobs on delete cascade,
  group_id uuid references groups on delete cascade,
  token_hash bytea not null unique,
  -- Shown to its owner as often as they like, and so kept, sealed.
  token_sealed text not null,
  created_at timestamptz not null default now(),
  check (job_id is null or group_id is null),
  unique nulls not distinct (account_id, job_id, group_id)
);
create index feed_addresses_by_job on feed_addresses (job_id) where job_id is not null;
create index feed_addresses_by_group on feed_addresses (group_id) where group_id is not null;
