-- Why a change was not told by a channel, by channel; null where nobody chose channels for it.
alter table executions add column passed_over jsonb;
