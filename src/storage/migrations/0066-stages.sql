-- Milliseconds by stage of a check; the telling is reckoned from what was delivered.
alter table executions add column stages jsonb;
