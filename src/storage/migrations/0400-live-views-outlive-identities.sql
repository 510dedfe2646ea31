-- A live view stays open, and an account's only one, although the identity that it began with is deleted.
alter table live_views
  drop constraint live_views_identity_id_fkey,
  add constraint live_views_identity_id_fkey foreign key (identity_id) references identities on delete set null;
