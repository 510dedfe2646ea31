-- What a link activates: each sign-up for a pending address has its own password, names and link.
alter table account_tokens
  add column password_hash text,
  add column firstname text,
  add column surname text,
  drop constraint account_tokens_account_id_kind_key;
create index account_tokens_by_account on account_tokens (account_id, kind);
