-- What a verdict weighs counts towards its account's storage. Those from before it was bounded go; their summary stays.
alter table verdicts add column bytes integer not null default 0;
delete from verdicts where pg_column_size(verdict) > 100000 and octet_length(verdict::text) > 2000000;
delete from shares where pg_column_size(comparison) > 100000 and octet_length(comparison::text) > 2000000;
