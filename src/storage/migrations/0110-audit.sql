-- What was done to an account, by whom and from where; kept a year.
create table audit_entries (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  action text not null,
  -- What it was done to, in words of that moment.
  about text,
  actor text not null default 'you' check (actor in ('you', 'operator', 'payments', 'telegram', 'link')),
  address text,
  device text,
  created_at timestamptz not null default now()
);
create index audit_entries_by_account on audit_entries (account_id, id desc);
create index audit_entries_by_age on audit_entries (created_at);
