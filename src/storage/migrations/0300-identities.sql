-- Who jobs are signed in as. Jobs and groups name an identity in their settings.
create table identities (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  name text not null,
  -- Where signing in begins, or, without steps, a page that shows whether somebody is signed in.
  url text not null,
  origins jsonb not null,
  steps jsonb not null,
  proof jsonb not null,
  secrets_sealed text,
  -- Cookies and storage of the browser. They are only replaced after a capture that showed the proof.
  jar_sealed text,
  jar_saved_at timestamptz,
  sign_in_sketch jsonb,
  state text not null default 'new' check (state in ('new', 'signed-in', 'signed-out')),
  problem text,
  signed_in_at timestamptz,
  signed_out_at timestamptz,
  created_at timestamptz not null default now(),
  -- Which capture uses the jar now, and until when if it ends without giving it back.
  lease uuid,
  leased_until timestamptz,
  unique (account_id, name)
);

-- Whether anything behind a sign-in was captured, so that it isn't shared by mistake.
alter table jobs add column signed_in boolean not null default false;

-- A trial of an identity: who signs in, sealed, and the proofs that were found.
alter table previews add column identity_sealed text;
alter table previews add column proofs jsonb;
