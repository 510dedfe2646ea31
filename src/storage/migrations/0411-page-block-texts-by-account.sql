create index concurrently if not exists page_blocks_account_text on page_blocks using gin (account_id, text gin_trgm_ops);
