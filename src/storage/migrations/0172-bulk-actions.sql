-- A job that is to be deleted at this time; until then it isn't checked, and its deletion can be undone.
alter table jobs add column delete_at timestamptz;

create or replace function keep_schedule() returns trigger language plpgsql as $$
declare
  wanted jsonb := coalesce(new.timetable, (select timetable from groups where id = new.group_id));
begin
  if tg_op = 'INSERT' then
    insert into schedules (job_id, account_id, frequency_minutes, active, timetable)
    values (new.id, new.account_id, new.frequency_minutes, new.status = 'ACTIVE' and new.delete_at is null, wanted);
  else
    update schedules set
      frequency_minutes = new.frequency_minutes,
      active = new.status = 'ACTIVE' and new.delete_at is null,
      timetable = wanted
    where job_id = new.id;
  end if;
  return null;
end $$;
create or replace trigger keep_schedule after insert or update of status, frequency_minutes, timetable, group_id, delete_at on jobs
  for each row execute function keep_schedule();

-- An action on several jobs that can be undone until it expires, with what it changed on each job.
create table bulk_actions (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  action text not null,
  changes jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index bulk_actions_by_account on bulk_actions (account_id);
