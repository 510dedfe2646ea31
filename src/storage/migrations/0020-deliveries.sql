-- How an account is reached besides its mail address.
create table channels (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('telegram', 'discord', 'email', 'trigger')),
  -- Telegram's chat; a chat belongs to one account.
  chat_id bigint unique,
  -- Discord's webhook address, or the secret that triggers are signed with.
  secret_sealed text,
  label text not null default '',
  created_at timestamptz not null default now(),
  -- Why it was given up, in words; cleared by the next message that gets through.
  failure text,
  -- Set when there is no use in trying: the chat blocked the bot, the webhook was deleted, mail was unsubscribed.
  gone boolean not null default false,
  primary key (account_id, kind)
);

-- One message to one channel, at most one for each event.
create table deliveries (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  notification_id uuid not null references notifications on delete cascade,
  execution_id uuid references executions on delete cascade,
  channel text not null check (channel in ('telegram', 'discord', 'email')),
  state text not null default 'waiting' check (state in ('waiting', 'held', 'sent', 'failed')),
  attempts smallint not null default 0,
  error text,
  -- The channel that failed, where this one stands in for it.
  instead_of text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (notification_id, channel)
);
create index deliveries_by_execution on deliveries (execution_id) where execution_id is not null;
create index deliveries_by_account on deliveries (account_id);
create index deliveries_sent on deliveries (account_id, channel, sent_at) where sent_at is not null;
create index deliveries_held on deliveries (account_id, channel) where state = 'held';

-- What a trigger asked and was answered; sealed, because both may carry what is secret.
create table trigger_runs (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts on delete cascade,
  job_id uuid not null,
  execution_id uuid not null references executions on delete cascade,
  -- The same over all attempts; null runs were asked for by hand.
  notification_id uuid unique references notifications on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts smallint not null default 0,
  error text,
  result_sealed text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index trigger_runs_by_execution on trigger_runs (execution_id);
create index trigger_runs_by_job on trigger_runs (job_id, id desc);
create index trigger_runs_by_account on trigger_runs (account_id);

-- When the next message may go: one row for each limit of a receiver.
create table send_turns (
  key text primary key,
  next_at timestamptz not null
);
create index send_turns_by_time on send_turns (next_at);

-- Updates the bot has handled; Telegram repeats what it is not sure of.
create table telegram_updates (
  update_id bigint primary key,
  seen_at timestamptz not null default now()
);
create index telegram_updates_by_age on telegram_updates (seen_at);
