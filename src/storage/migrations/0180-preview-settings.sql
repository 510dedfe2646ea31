-- The browser settings of a preview; like a job's, plain settings share one column.
alter table previews add column settings jsonb not null default '{}';
