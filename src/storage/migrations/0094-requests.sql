-- How a job's page is asked for, where not by a plain GET; sealed, because a body may carry what is secret.
alter table jobs add column request_sealed text;
