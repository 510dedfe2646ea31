-- What an account wants to be alerted about when it first appears on a page.
create table search_alerts (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  q text not null,
  mode text not null,
  kind text,
  -- Only jobs of these groups; null for all.
  group_ids uuid[],
  severity text not null,
  -- Whether alerts show only the ends of what was found, because it is a secret.
  hides_match boolean not null,
  created_at timestamptz not null default now(),
  unique (account_id, name)
);

-- One row for each alert that was sent.
create table search_alert_hits (
  alert_id uuid not null references search_alerts on delete cascade,
  execution_id uuid not null,
  lines integer not null,
  created_at timestamptz not null default now(),
  primary key (alert_id, execution_id)
);
