-- The keys of this installation, which sign exports and daily seals; each is endorsed by the one before it.
create table signing_keys (
  number integer primary key,
  statement text not null,
  signature bytea not null,
  -- Null for the first key, and if the one before it was lost.
  endorsement bytea,
  -- Encrypted with the installation's data key.
  private_sealed text not null
);

-- When an execution was imported, from which archive, and where its seal of that time is.
alter table executions add column imported jsonb;

-- The seals that came with imported jobs, as compressed JSON, and those that had come with them before.
create table seal_origins (
  job_id uuid not null,
  hash bytea not null,
  account_id uuid not null references accounts on delete cascade,
  evidence bytea not null,
  primary key (job_id, hash)
);

alter table seal_days
  add column signature bytea,
  -- When the day's fingerprint was sent to each place, and why not yet.
  add column sent jsonb not null default '{}',
  add column send_problems jsonb not null default '{}';

-- The address that gets the fingerprint of each day, encrypted because it may contain a secret.
alter table accounts add column anchor_webhook text;
