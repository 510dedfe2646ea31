-- Changes that have one cause, such as a deployment; one change alone is an incident too.
create table incidents (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  -- Whether the user put its changes together, so that it is shown even if it has one page.
  by_hand boolean not null default false,
  -- What a language model says about its changes, and how many these were then.
  opinion jsonb,
  created_at timestamptz not null default now()
);
create index incidents_by_account on incidents (account_id);

create table incident_changes (
  execution_id uuid primary key references executions on delete cascade,
  incident_id uuid not null references incidents on delete cascade,
  account_id uuid not null,
  job_id uuid not null,
  at timestamptz not null,
  -- Whether the user marked its incident as noise, and what that taught the job, to be undone; null until it is done.
  noise_wanted boolean not null default false,
  noise jsonb
);
create index incident_changes_by_incident on incident_changes (incident_id, at);
create index incident_changes_by_account on incident_changes (account_id, at);

-- Alerts that aren't messages of their own: that of another page of the incident covers them, or the closing message.
create table joined_alerts (
  notification_id uuid not null references notifications on delete cascade,
  channel text not null,
  account_id uuid not null,
  execution_id uuid not null references executions on delete cascade,
  -- The delivery of the page that was alerted first.
  lead_id uuid not null,
  created_at timestamptz not null default now(),
  -- Since when a message covers it; null until then.
  covered_at timestamptz,
  primary key (notification_id, channel)
);
create index joined_alerts_by_execution on joined_alerts (execution_id);
create index joined_alerts_by_lead on joined_alerts (lead_id);

-- The receiver's name for a message that can be edited.
alter table deliveries add column message_ref text;
-- The incident that a closing message is about.
alter table notifications add column incident_id uuid;
alter table accounts add column combines_alerts boolean not null default true;
