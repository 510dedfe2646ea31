-- What a page needs before it is looked at, and whether the watched part may be missing until it appears.
alter table jobs add column wait_for jsonb;
alter table jobs add column awaited boolean not null default false;
