-- Settings of a job that need no column of their own.
alter table jobs add column settings jsonb not null default '{}';
