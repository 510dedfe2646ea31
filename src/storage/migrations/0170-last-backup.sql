-- One row: when the last backup was complete. The metrics report its age.
create table last_backup (
  id boolean primary key default true check (id),
  made_at timestamptz not null
);
