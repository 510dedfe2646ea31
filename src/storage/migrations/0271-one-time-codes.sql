-- The period whose one-time code was typed last, for each key by its fingerprint: no code is typed twice.
create table one_time_codes (
  account_id uuid not null references accounts on delete cascade,
  fingerprint bytea not null,
  period bigint not null,
  primary key (account_id, fingerprint)
);
