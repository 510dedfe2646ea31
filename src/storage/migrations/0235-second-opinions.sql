-- The language model that gives an account a second opinion about changes. The key is sealed and bound to the account.
create table opinion_endpoints (
  account_id uuid primary key references accounts on delete cascade,
  url text not null,
  model text not null,
  key_sealed text,
  is_on boolean not null default false,
  max_calls integer not null,
  max_calls_per_job integer not null,
  max_tokens integer not null,
  input_price double precision,
  output_price double precision,
  wait_seconds integer not null,
  -- The form of request that the endpoint took last; null if it wasn't asked yet.
  form text,
  problem text,
  failed_at timestamptz,
  succeeded_at timestamptz,
  failures integer not null default 0,
  paused_until timestamptz
);

-- One row per request to an endpoint. Until it is answered, its tokens are an estimate from above.
create table opinion_calls (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- Not a reference: what a deleted job used stays used.
  job_id uuid,
  asked_at timestamptz not null default now(),
  input_tokens integer not null,
  output_tokens integer not null,
  cost double precision
);
create index opinion_calls_by_month on opinion_calls (account_id, asked_at);

-- Answers by the question's fingerprint. While a process asks, the answer is null and others wait for it.
create table opinion_answers (
  account_id uuid not null references accounts on delete cascade,
  fingerprint bytea not null,
  answer text,
  asked_at timestamptz not null default now(),
  primary key (account_id, fingerprint)
);

-- The opinion about one change, beside its execution. Without class it says why there is none.
create table opinions (
  execution_id uuid primary key references executions on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  -- An opinion that comes later is not used.
  wait_until timestamptz not null,
  -- Whether its alert waits for it; a grave alert does not.
  is_awaited boolean not null,
  is_settled boolean not null default false,
  lowered boolean not null default false,
  opinion text
);
create index opinions_by_account on opinions (account_id);
