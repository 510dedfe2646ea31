-- The runs of jobs that watch a whole site. A run is recorded once an execution has taken its inventory.
create table site_runs (
  id uuid primary key default uuidv7(),
  job_id uuid not null references jobs on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  number integer not null,
  target_version integer not null,
  state text not null default 'running' check (state in ('running', 'paused', 'crawled', 'recorded')),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- How long requests were made, without pauses.
  active_ms bigint not null default 0,
  requested integer not null default 0,
  by_browser integer not null default 0,
  bytes bigint not null default 0,
  -- Requests in a row that the site didn't answer.
  unanswered integer not null default 0,
  failure jsonb,
  -- Sentences about what was left out, by what they are about.
  notes jsonb not null default '{}',
  -- What each host's robots.txt says.
  robots jsonb not null default '{}',
  -- Sitemaps and feeds that are still to be read, and the addresses of those that were.
  lists jsonb not null default '[]',
  lists_read jsonb not null default '[]',
  -- Families of addresses that are endless, and why.
  endless jsonb not null default '{}',
  unique (job_id, number)
);

-- The addresses of a site. Each is there once, whatever the spelling of the links to it.
create table site_pages (
  job_id uuid not null references jobs on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  -- What all spellings of the address have in common.
  identity text not null,
  address text not null,
  source text not null,
  found_on text,
  depth integer not null,
  -- Steps since a page outside the family led here.
  generation integer not null default 0,
  family text,
  -- The path with marks in place of numbers, and the names of the parameters.
  template text not null,
  -- The last run that is done with it; 0 before the first, -1 if it has to be requested once more at the end of a run.
  run integer not null default 0,
  -- Within one run, lower ranks are requested first.
  rank integer not null,
  -- Why it is listed without being requested.
  why text,
  attempts integer not null default 0,
  hops integer not null default 0,
  first_seen timestamptz not null default now(),
  last_seen timestamptz,
  checked_at timestamptz,
  status integer,
  failure text,
  title text not null default '',
  content_type text not null default '',
  bytes integer,
  moved_to text,
  script_hosts jsonb not null default '[]',
  -- How many addresses outside its family were first found on it.
  yield integer not null default 0,
  skeleton text,
  text_hash text,
  validator text,
  primary key (job_id, identity)
);
create index site_pages_to_request on site_pages (job_id, run desc, rank, identity) where why is null;
create index site_pages_by_family on site_pages (job_id, family, checked_at) where family is not null;

-- When each host may be requested next, for all who crawl it.
create table site_hosts (host text primary key, next_at timestamptz not null);
