-- What reports take counts towards an account's storage.
insert into account_usage (account_id, stored_bytes)
select account_id, sum(octet_length(pdf) + coalesce(octet_length(html), 0)) from reports
where pdf is not null group by account_id
on conflict (account_id) do update set stored_bytes = account_usage.stored_bytes + excluded.stored_bytes;
