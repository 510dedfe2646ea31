-- A public link to one comparison. What it tells is fixed when it is made; the captures are read from the history.
create table shares (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  -- A deleted job takes its links with it at once.
  job_id uuid not null references jobs on delete cascade,
  before_id uuid,
  after_id uuid not null,
  token_hash bytea not null unique,
  comparison jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index shares_by_account on shares (account_id, id desc);
create index shares_by_expiry on shares (expires_at);

-- "Changes only" over a long history.
create index changes_by_job on executions (job_id, id desc) where changed;
