-- How soon a channel tells what; a channel without a row tells at once.
create table channel_paces (
  account_id uuid not null references accounts on delete cascade,
  channel text not null,
  pace jsonb not null,
  primary key (account_id, channel)
);

-- Until when a message is held back; null for those that wait for the next digest whenever it comes.
alter table deliveries add column held_until timestamptz;
