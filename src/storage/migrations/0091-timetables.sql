-- Hours and days or a cron line beside the frequency: a job's own, or its group's where it has none.
alter table jobs add column timetable jsonb;
alter table groups add column timetable jsonb;
-- The one that counts, kept in step.
alter table schedules add column timetable jsonb;

create or replace function keep_schedule() returns trigger language plpgsql as $$
declare
  wanted jsonb := coalesce(new.timetable, (select timetable from groups where id = new.group_id));
begin
  if tg_op = 'INSERT' then
    insert into schedules (job_id, account_id, frequency_minutes, active, timetable)
    values (new.id, new.account_id, new.frequency_minutes, new.status = 'ACTIVE', wanted);
  else
    update schedules set frequency_minutes = new.frequency_minutes, active = new.status = 'ACTIVE', timetable = wanted
    where job_id = new.id;
  end if;
  return null;
end $$;
drop trigger keep_schedule on jobs;
create trigger keep_schedule after insert or update of status, frequency_minutes, timetable, group_id on jobs
  for each row execute function keep_schedule();

create function keep_group_schedules() returns trigger language plpgsql as $$
begin
  update schedules set timetable = new.timetable from jobs
  where jobs.id = schedules.job_id and jobs.group_id = new.id and jobs.timetable is null;
  return null;
end $$;
create trigger keep_group_schedules after update of timetable on groups
  for each row execute function keep_group_schedules();
