-- When each account may request each host again in its own pace. The pace that all crawls of a host share is in
-- site_hosts.
create table site_paces (
  host text not null,
  account_id uuid not null references accounts on delete cascade,
  next_at timestamptz not null,
  primary key (host, account_id)
);

-- How much of an account's storage the inventory of each site takes.
create table site_usage (
  job_id uuid primary key references jobs on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  bytes bigint not null default 0
);
create index site_usage_by_account on site_usage (account_id);
