-- one step: only searches use the index, and they read the newest lines without it.
-- A search in it read other accounts' lines, so that its time told something about them.
drop index if exists page_blocks_text;
