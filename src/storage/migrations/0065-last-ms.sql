-- What the last check took: an account's turn in the queue comes later by it.
alter table jobs add column last_ms integer not null default 0;
