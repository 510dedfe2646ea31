-- What a group hands down to its jobs, besides its timetable: rules, conditions, channels, when failures are told.
alter table groups add column handed jsonb not null default '{}';
alter table groups add column headers_sealed text;
-- By which channels a job's alerts go, where not by all.
alter table jobs add column channels jsonb;
