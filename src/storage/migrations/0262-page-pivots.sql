-- Lists of one kind, such as all hosts: texts and links are far more than everything else.
create index concurrently if not exists page_blocks_by_kind on page_blocks (account_id, kind, id)
  where kind not in ('text', 'link', 'script-hash');
