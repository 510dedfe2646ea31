-- What a site asked of one account; what all others are held up by is in host_pauses and short.
create table account_pauses (
  account_id uuid not null references accounts on delete cascade,
  host text not null,
  until timestamptz not null,
  primary key (account_id, host)
);
