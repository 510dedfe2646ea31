-- Rules that make jobs of the pages of a site.
create table site_rules (
  id uuid primary key default uuidv7(),
  -- The job that watches the site.
  job_id uuid not null references jobs on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  group_id uuid not null references groups on delete cascade,
  -- Which pages: those whose path begins like the pattern, or those of one template.
  by text not null check (by in ('pattern', 'template')),
  value text not null,
  max_jobs integer not null,
  sample text not null check (sample in ('first', 'newest', 'spread')),
  frequency_minutes integer not null,
  -- Why it made fewer jobs than it would have when it was last applied.
  problem text,
  created_at timestamptz not null default now()
);
create index site_rules_by_job on site_rules (job_id);

-- The jobs that rules made. A job that its owner deleted leaves its row, so that it isn't made again.
create table site_rule_jobs (
  rule_id uuid not null references site_rules on delete cascade,
  identity text not null,
  made_job_id uuid references jobs on delete set null,
  retired_at timestamptz,
  primary key (rule_id, identity)
);
create index site_rule_jobs_by_job on site_rule_jobs (made_job_id);
