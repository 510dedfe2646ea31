-- How a job was before a smaller plan held it back, so that a larger one can bring it back as it was.
create table plan_holds (
  job_id uuid primary key references jobs on delete cascade,
  status text check (status in ('ACTIVE', 'DISABLED', 'PAUSED', 'INTERRUPTED')),
  frequency_minutes integer,
  -- The frequency that the smaller plan gave it; another one means that the user has chosen anew.
  raised_to integer
);

-- A smaller plan does not shorten the history that a larger one has kept: it ages by the larger one's rules.
alter table accounts
  add column kept_plan_id text check (kept_plan_id in ('professional', 'ultimate')),
  add column kept_until timestamptz;
