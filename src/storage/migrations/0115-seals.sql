-- What each execution was, sealed in a chain for its job. Seals outlive the executions that retention removes.
create table seals (
  job_id uuid not null,
  position integer not null,
  execution_id uuid not null,
  number integer not null,
  -- What was sealed, word for word; null once its execution is gone, when only the digest of it is left.
  statement text,
  digest bytea not null,
  hash bytea not null,
  primary key (job_id, position)
);
create unique index seals_by_execution on seals (execution_id);

-- Where a job's chain stands; `joined` when all that was recorded before there were seals stands in it too.
create table seal_heads (
  job_id uuid primary key,
  account_id uuid not null,
  position integer not null default 0,
  hash bytea,
  joined boolean not null default true,
  created_at timestamptz not null default now(),
  moved_at timestamptz not null default now()
) with (fillfactor = 70);
create index seal_heads_by_account on seal_heads (account_id);
create index seal_heads_to_join on seal_heads (job_id) where not joined;
insert into seal_heads (job_id, account_id, joined) select id, account_id, false from jobs where executions > 0;

-- The heads of all chains of an account at the end of a day, chained to the day before, and a stamp for it.
create table seal_days (
  account_id uuid not null references accounts on delete cascade,
  -- As 2026-11-16, UTC.
  day text not null,
  statement text not null,
  hash bytea not null,
  jobs integer not null,
  stamp bytea,
  stamped_at timestamptz,
  authority text,
  stamp_problem text,
  created_at timestamptz not null default now(),
  primary key (account_id, day)
);

alter table accounts add column mails_heads boolean not null default false;

-- An export tells each execution's own lines.
create index job_logs_by_execution on job_logs (execution_id, id) where execution_id is not null;
