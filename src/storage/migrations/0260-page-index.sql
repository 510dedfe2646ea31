-- What pages consist of: each distinct block of an account once, and where and when it stayed.
create table page_blocks (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  -- The first half of the SHA-256 of kind and text.
  hash bytea not null,
  kind text not null,
  text text not null,
  unique (account_id, hash)
);
create index page_blocks_by_account on page_blocks (account_id, id);

-- A block was on a job's page from the execution first_id until gone_id, the first one without it.
create table page_stays (
  block_id bigint not null,
  job_id uuid not null,
  first_id uuid not null,
  first_at timestamptz not null,
  gone_id uuid,
  gone_at timestamptz,
  primary key (block_id, job_id, first_id)
);
create index page_stays_by_first on page_stays (job_id, first_id);
create index page_stays_by_gone on page_stays (job_id, gone_id);

-- How far the executions of a job are indexed. Its row is locked by whoever changes the job's stays.
create table page_index_heads (
  job_id uuid primary key,
  account_id uuid not null,
  -- Of the blocks that the page consists of now; null if that has to be compared with the stays.
  digest bytea,
  -- The last older execution that is indexed.
  done_id uuid,
  -- Whether all older executions are indexed, so that each new one is when it is recorded.
  is_live boolean not null default false
);
create index page_index_to_do on page_index_heads (account_id) where not is_live;
