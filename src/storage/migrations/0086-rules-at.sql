-- Since when a job's rules are what they are: what its checks said before was said by others.
alter table jobs add column rules_at timestamptz not null default now();
