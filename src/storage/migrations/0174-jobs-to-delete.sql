create index concurrently if not exists jobs_to_delete on jobs (delete_at) where delete_at is not null;
