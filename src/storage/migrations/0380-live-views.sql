-- Live views of a browser of ours, in which a user records steps or signs in by hand.
create table live_views (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- SHA-256 of the ticket that opens it, once; null from then on.
  ticket text,
  url text not null,
  origins jsonb not null,
  -- Whose session it begins with or replaces.
  identity_id uuid references identities on delete set null,
  signs_in boolean not null,
  -- Until when it is open if its process ends without a word.
  open_until timestamptz,
  -- A session that was kept for an identity that isn't saved yet.
  jar_sealed text,
  created_at timestamptz not null default now()
);
create index live_views_of_account on live_views (account_id);
