-- A prepared payment: one account, one plan, one hour. Used up once a subscription is bound to it; only the hash is kept.
create table checkouts (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  plan_id text not null check (plan_id in ('professional', 'ultimate')),
  expires_at timestamptz not null,
  subscription_id text
);
create index checkouts_by_account on checkouts (account_id);
create index checkouts_unused on checkouts (expires_at) where subscription_id is null;

-- The provider's subscriptions as its newest event left them; occurred_at and event_id name that event.
create table subscriptions (
  id text primary key,
  account_id uuid not null references accounts on delete cascade,
  provider text not null check (provider in ('paddle', 'sandbox')),
  plan_id text not null check (plan_id in ('professional', 'ultimate')),
  status text not null check (status in ('active', 'trialing', 'past_due', 'paused', 'canceled')),
  period_ends_at timestamptz,
  -- A cancellation that will take effect, or the one that did.
  ends_at timestamptz,
  past_due_since timestamptz,
  -- The end that the user was warned of.
  warned_of timestamptz,
  occurred_at timestamptz not null,
  event_id text not null
);
create index subscriptions_by_account on subscriptions (account_id);
create index subscriptions_ending on subscriptions (account_id)
  where status <> 'canceled' and (ends_at is not null or past_due_since is not null);

create table invoices (
  id text primary key,
  account_id uuid not null references accounts on delete cascade,
  plan_id text not null check (plan_id in ('professional', 'ultimate')),
  amount_cents integer not null,
  currency text not null,
  status text not null check (status in ('billed', 'paid', 'completed', 'past_due', 'canceled')),
  billed_at timestamptz not null,
  occurred_at timestamptz not null,
  event_id text not null
);
create index invoices_by_account on invoices (account_id, billed_at desc);

-- Every signed event, kept before it is answered. Those of nobody's account are removed after 90 days.
create table billing_events (
  id text primary key,
  type text not null,
  occurred_at timestamptz not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  account_id uuid references accounts on delete cascade,
  applied_at timestamptz,
  outcome text,
  attempts integer not null default 0
);
create index billing_events_pending on billing_events (occurred_at) where applied_at is null;
create index billing_events_by_account on billing_events (account_id);

-- The built-in checkout's own books, as a provider keeps them on its side.
create table sandbox_subscriptions (
  id text primary key,
  account_id uuid not null references accounts on delete cascade,
  plan_id text not null check (plan_id in ('professional', 'ultimate')),
  status text not null check (status in ('active', 'past_due', 'canceled')),
  card text not null,
  started_at timestamptz not null,
  -- Months paid or owed since started_at: the period ends that many months after it.
  months integer not null,
  cancels boolean not null default false,
  credit_cents integer not null default 0,
  -- A payment that failed and is still open.
  owed_transaction text,
  owed_cents integer,
  -- How far this subscription's clock is ahead of the real one.
  clock_seconds integer not null default 0,
  last_event_at timestamptz not null
);
create unique index sandbox_running on sandbox_subscriptions (account_id) where status <> 'canceled';
