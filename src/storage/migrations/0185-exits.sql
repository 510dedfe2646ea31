-- Proxies through which pages are captured. Those without an account are the operator's, for all accounts.
create table exits (
  id uuid primary key default gen_random_uuid(),
  account_id uuid references accounts on delete cascade,
  name text not null,
  protocol text not null,
  host text not null,
  port integer not null,
  looks_up_names boolean not null default false,
  credentials_sealed text,
  echo_url text,
  created_at timestamptz not null default now(),
  succeeded_at timestamptz,
  latency_ms integer,
  address text,
  failed_at timestamptz,
  problem text,
  unique nulls not distinct (account_id, name)
);
