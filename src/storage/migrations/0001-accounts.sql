create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_key text not null unique,
  firstname text not null,
  surname text not null,
  password_hash text not null,
  plan_id text not null default 'basic' check (plan_id in ('basic', 'professional', 'ultimate')),
  activated_at timestamptz,
  bot_token_sealed text not null,
  bot_token_hash bytea not null unique,
  telegram_notifications boolean not null default true,
  email_notifications boolean not null default true,
  photo bytea,
  photo_name text,
  created_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_account on sessions (account_id);
create index sessions_by_expiry on sessions (expires_at);

-- A newer token of a kind replaces the older one; only the hash is kept.
create table account_tokens (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('activation', 'recovery')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (account_id, kind)
);

-- Counters that survive a restart; keys are hashed, so that no address stands here.
create table rate_limits (
  key text primary key,
  window_ends_at timestamptz not null,
  used integer not null
);
create index rate_limits_by_end on rate_limits (window_ends_at);
