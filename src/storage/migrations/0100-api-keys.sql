-- Keys by which programs call for an account. Only the hash of a key is kept, and enough of it to tell it from others.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'check', 'write', 'everything')),
  token_hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);
