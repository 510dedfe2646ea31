-- A change that is told in the feed and the day's digest only.
alter table executions add column folded boolean not null default false;
-- What waits for the day's digest.
create index notifications_folded on notifications (account_id, id) where kind = 'folded';
