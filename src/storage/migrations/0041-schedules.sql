-- When each job is due, apart from the job: a claim writes a narrow row and two small indexes, not the whole job and all
-- of its own.
create table schedules (
  job_id uuid primary key references jobs on delete cascade,
  account_id uuid not null,
  -- The rhythm: checks are due at rhythm_at plus whole frequencies.
  rhythm_at timestamptz not null default now(),
  next_run_at timestamptz not null default now(),
  -- Set while a capture is queued or runs.
  queued_at timestamptz,
  -- The job's, kept in step by the trigger.
  frequency_minutes integer not null,
  active boolean not null
) with (fillfactor = 70);
insert into schedules (job_id, account_id, rhythm_at, next_run_at, queued_at, frequency_minutes, active)
select id, account_id, rhythm_at, next_run_at, queued_at, frequency_minutes, status = 'ACTIVE' from jobs;
create index schedules_due on schedules (next_run_at) where active;

alter table jobs drop column rhythm_at, drop column next_run_at, drop column queued_at;

create function keep_schedule() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into schedules (job_id, account_id, frequency_minutes, active)
    values (new.id, new.account_id, new.frequency_minutes, new.status = 'ACTIVE');
  else
    update schedules set frequency_minutes = new.frequency_minutes, active = new.status = 'ACTIVE'
    where job_id = new.id;
  end if;
  return null;
end $$;
create trigger keep_schedule after insert or update of status, frequency_minutes on jobs
  for each row execute function keep_schedule();
