-- A document about a job or a group over a time; kept whole, since the history it was made of is thinned later.
create table reports (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  title text not null,
  job_ids uuid[] not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  state text not null default 'queued' check (state in ('queued', 'ready', 'failed')),
  pdf bytea,
  created_at timestamptz not null default now()
);
create index reports_by_account on reports (account_id, id desc);
