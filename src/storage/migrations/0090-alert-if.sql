-- What of a job's changes is told, and the values that each check reads off its page.
alter table jobs add column alert_if jsonb;
alter table jobs add column follow jsonb not null default '[]';
alter table executions add column untold text;
alter table executions add column followed jsonb;
