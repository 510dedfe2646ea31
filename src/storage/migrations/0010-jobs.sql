create table groups (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null check (length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  unique (account_id, name)
);

create table jobs (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  group_id uuid not null references groups,
  name text not null check (length(name) between 1 and 120),
  url text not null,
  -- What the two captures at a time are counted by.
  host text not null,
  status text not null default 'ACTIVE'
    check (status in ('ACTIVE', 'INACTIVE', 'DISABLED', 'PAUSED', 'INTERRUPTED')),
  frequency_minutes integer not null check (frequency_minutes between 1 and 43200),
  headers_sealed text,
  trigger_sealed text,
  lookup jsonb,
  selector text,
  ignore jsonb not null default '[]',
  -- Goes up when what is watched changes, so that a capture of the old target is not recorded for the new one.
  target_version integer not null default 1,
  -- The rhythm: checks are due at rhythm_at plus whole frequencies.
  rhythm_at timestamptz not null default now(),
  next_run_at timestamptz not null default now(),
  -- Set while a capture is queued or runs.
  queued_at timestamptz,
  started_at timestamptz,
  -- "Run now": the next capture is made whatever the status.
  asked boolean not null default false,
  -- The newest complete capture, which the next one is compared with.
  baseline_id uuid,
  last_execution_id uuid,
  last_failed boolean not null default false,
  failures integer not null default 0,
  -- Counted in the transaction that records, so that no call ever counts rows.
  executions bigint not null default 0,
  changes bigint not null default 0,
  errors bigint not null default 0,
  logs bigint not null default 0,
  created_at timestamptz not null default now(),
  unique (group_id, name)
) with (fillfactor = 80);
create index jobs_due on jobs (next_run_at) where status = 'ACTIVE';
create index jobs_by_account on jobs (account_id, created_at);

-- What detection has learned of a job's noise, and capture of how to take it; large, so apart from the job.
create table job_memories (
  job_id uuid primary key references jobs on delete cascade,
  memory jsonb,
  evidence jsonb
);

-- Neither jobs nor accounts are referenced: their history is removed after them, in pieces.
create table executions (
  id uuid primary key default uuidv7(),
  job_id uuid not null,
  account_id uuid not null,
  number integer not null,
  created_at timestamptz not null default now(),
  status_code smallint,
  changed boolean not null default false,
  failure text,
  error text,
  similarity real,
  severity text,
  summary text not null,
  truncated boolean not null default false,
  via text,
  duration_ms integer not null,
  attempts smallint not null,
  -- The execution it was compared with.
  baseline_id uuid,
  html bytea,
  body bytea,
  facts bytea,
  picture bytea
);
create index executions_by_job on executions (job_id, id desc);
create index changes_by_account on executions (account_id, id desc) where changed;

-- Reasons and findings, kept where there is something to tell.
create table verdicts (
  execution_id uuid primary key references executions on delete cascade,
  verdict jsonb not null
);

create table job_logs (
  id bigint generated always as identity primary key,
  job_id uuid not null,
  execution_id uuid,
  level text not null check (level in ('info', 'warn', 'error')),
  meta text not null,
  created_at timestamptz not null default now()
);
create index job_logs_by_job on job_logs (job_id, id desc);

-- One row for each distinct thing seen, packed as its difference from `base` where there is one.
create table contents (
  account_id uuid not null,
  hash bytea not null,
  kind text not null check (kind in ('bytes', 'picture')),
  blob bytea not null,
  base bytea,
  depth smallint not null,
  stored_bytes integer not null,
  -- The hash of the picture file it came from: an equal file needs no decoding.
  source bytea,
  -- Executions and contents that build on it.
  refs integer not null default 0,
  -- When someone last meant to refer to it; unreferenced contents are collected an hour after.
  touched_at timestamptz not null default now(),
  primary key (account_id, hash)
);
create index contents_unreferenced on contents (touched_at) where refs = 0;
create index contents_by_source on contents (account_id, source) where source is not null;

-- Bytes kept, and the number of the last event; also the lock that puts an account's events in order.
create table account_usage (
  account_id uuid primary key references accounts on delete cascade,
  stored_bytes bigint not null default 0,
  events bigint not null default 0,
  -- Events are only written for accounts that had a page open within the last day.
  watched_at timestamptz
);

create table notifications (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  kind text not null,
  job_id uuid,
  execution_id uuid,
  severity text not null,
  title text not null,
  message text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_by_account on notifications (account_id, id desc);
create index notifications_unread on notifications (account_id) where read_at is null;

-- What an open page is told; kept for a day, so that a reconnect misses nothing.
create table events (
  account_id uuid not null references accounts on delete cascade,
  number bigint not null,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (account_id, number)
);
create index events_by_age on events (created_at);

-- Hosts that asked for patience.
create table host_pauses (
  host text primary key,
  until timestamptz not null
);

-- When a scheduler last looked: a gap means that checks were missed and must be spread out.
create table schedule_state (
  id boolean primary key default true check (id),
  ticked_at timestamptz not null default now()
);
insert into schedule_state default values;
