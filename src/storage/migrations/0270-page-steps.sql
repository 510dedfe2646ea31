-- What the steps before a capture type: sealed, and bound to the row.
alter table jobs add column step_secrets_sealed text;
alter table groups add column step_secrets_sealed text;
alter table previews add column step_secrets_sealed text;
-- The content that holds what the steps of a preview did.
alter table previews add column steps bytea;

-- What each step before an execution's capture did; the pictures are contents.
create table execution_steps (
  execution_id uuid primary key references executions on delete cascade,
  account_id uuid not null,
  steps jsonb not null
);
