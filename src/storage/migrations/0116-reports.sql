-- Reports about more than a job or a group, in two forms, with words of their own; they say how far they are.
alter table reports
  add column note text,
  add column logo bytea,
  add column html bytea,
  add column done integer not null default 0,
  add column total integer not null default 0,
  add column schedule_id uuid,
  add column share_hash bytea unique,
  add column shared_until timestamptz;

-- Reports that are made by themselves and mailed.
create table report_schedules (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  every text not null check (every in ('week', 'month')),
  scope jsonb not null,
  title text not null,
  note text,
  logo bytea,
  next_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index report_schedules_by_account on report_schedules (account_id, id desc);
create index report_schedules_due on report_schedules (next_at);
