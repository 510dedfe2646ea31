-- A search in it read other accounts' lines, so that its time told something about them.
drop index if exists page_blocks_text;
