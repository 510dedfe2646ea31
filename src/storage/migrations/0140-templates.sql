-- In which words a channel tells; a channel without a row tells in ours.
create table channel_templates (
  account_id uuid not null references accounts on delete cascade,
  channel text not null,
  title text not null,
  body text not null,
  primary key (account_id, channel)
);
