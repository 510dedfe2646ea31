-- Named filters of the list of all jobs.
create table saved_views (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  unique (account_id, name)
);
