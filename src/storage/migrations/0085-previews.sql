-- One look at a page that no job watches yet. What was seen is kept for an hour, as a check's first look is.
create table previews (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  url text not null,
  host text not null,
  headers_sealed text,
  wait_for jsonb,
  state text not null default 'queued' check (state in ('queued', 'ready', 'failed')),
  error text,
  content bytea,
  created_at timestamptz not null default now()
);
create index previews_by_account on previews (account_id, id desc);
