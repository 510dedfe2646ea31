create index concurrently if not exists page_blocks_text on page_blocks using gin (text gin_trgm_ops);
