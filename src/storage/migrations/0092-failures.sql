-- After how many failed checks in a row their user is told, and how many there were of which sort.
alter table jobs add column tell_failures jsonb;
alter table jobs add column trouble jsonb;
