-- The job was created without a name: its first good capture names it by the page's title.
alter table jobs add column awaits_title boolean not null default false;
