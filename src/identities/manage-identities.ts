import { randomUUID } from "node:crypto";
import type { SessionJar } from "#capture/session-jar.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import {
  type Identity,
  type IdentityTrial,
  maxIdentities,
  type NewIdentity,
  noIdentity,
} from "#contract/identity.ts";
import { maskValues, unmaskValues } from "#contract/mask.ts";
import { toPageUrl } from "#contract/page-url.ts";
import { assertPageSteps } from "#page-steps/assert-page-steps.ts";
import { hidePasswords, secretsIn } from "#page-steps/password-fields.ts";
import { assertIdentitiesAllowed, takeQuota } from "#plans/plan-limits.ts";
import type { Database } from "#storage/database.ts";
import {
  countIdentityUsers,
  deleteIdentityRow,
  findIdentity,
  type IdentityRow,
  insertIdentity,
  listIdentities,
  lockIdentity,
  updateIdentity as updateIdentityRow,
  wakeJobsOf,
} from "#storage/identities.ts";
import { findLiveView } from "#storage/live-views.ts";
import type { Deps } from "./deps.ts";
import { openJar, openSecrets, sealJar, sealSecrets } from "./open-identity.ts";
import { readCookies } from "./read-cookies.ts";

type Users = Map<string, { jobs: number; groups: number }>;

export async function readIdentities(deps: Deps, { accountId }: Actor): Promise<Identity[]> {
  const [rows, users] = await Promise.all([
    listIdentities(deps.db, accountId),
    countIdentityUsers(deps.db, accountId),
  ]);
  return rows.map((row) => describeIdentity(deps, row, users));
}

/** What is stored of an identity: passwords are secrets, and the site of its URL is one of its own. */
export async function prepareIdentity(
  deps: Deps,
  accountId: string,
  input: NewIdentity | IdentityTrial,
  old: IdentityRow | undefined,
) {
  const url = toPageUrl(input.url);
  const reason = await deps.refuseTarget(url);
  if (reason) throw new AppError("TARGET_NOT_ALLOWED", reason, { field: "url" });
  await assertPageSteps(deps, input.steps, "steps");
  const known = unmaskValues(input.secrets, old ? openSecrets(deps, old) : []);
  const { steps, secrets } = hidePasswords(input.steps, known);
  const missing = steps
    .flatMap((step) => (step.type === "change" ? secretsIn(step.value) : []))
    .find((name) => !secrets.some((secret) => secret.name === name));
  if (missing)
    throw new AppError("INVALID_INPUT", `Enter the secret “${missing}”, which a step types.`, {
      field: "secrets",
    });
  const origins = [...new Set([new URL(url).origin, ...input.origins])];
  const pasted = input.cookies?.trim() ? readCookies(input.cookies, origins) : null;
  const jar = pasted?.jar ?? (input.liveView ? await takeLiveJar(deps, accountId, input.liveView) : null);
  if (steps.length === 0 && !jar && !old?.jar_sealed)
    throw new AppError(
      "INVALID_INPUT",
      "Add the steps that sign in, sign in by hand, or paste the cookies of a session.",
      { field: "steps" },
    );
  return { url, origins, steps, secrets, jar, notes: pasted?.notes ?? [] };
}

/** The session that was kept in a live view. */
async function takeLiveJar(deps: Deps, accountId: string, id: string): Promise<SessionJar> {
  const row = await findLiveView(deps.db, accountId, id);
  const jar = row && openJar(deps, row);
  if (!jar)
    throw new AppError("INVALID_INPUT", "The session of the live view has expired. Sign in by hand again.", {
      field: "liveView",
    });
  return jar;
}

type Prepared = Awaited<ReturnType<typeof prepareIdentity>>;

const columnsOf = (deps: Deps, id: string, { name, proof }: NewIdentity, prepared: Prepared) => ({
  name,
  proof: JSON.stringify(proof),
  url: prepared.url,
  origins: JSON.stringify(prepared.origins),
  steps: JSON.stringify(prepared.steps),
  secrets_sealed: sealSecrets(deps, id, prepared.secrets),
  ...(prepared.jar && { jar_sealed: sealJar(deps, id, prepared.jar), jar_saved_at: new Date() }),
});

/** Adds an identity. `notes` says what pasted cookies leave out. */
export async function createIdentity(
  deps: Deps,
  { accountId }: Actor,
  input: NewIdentity,
): Promise<{ identity: Identity; notes: string[] }> {
  const prepared = await prepareIdentity(deps, accountId, input, undefined);
  const id = randomUUID();
  return deps.db.transaction().execute(async (tx) => {
    assertIdentitiesAllowed(await takeQuota(tx, accountId));
    if ((await listIdentities(tx, accountId)).length >= maxIdentities)
      throw new AppError("CONFLICT", `An account has at most ${maxIdentities} identities. Delete one first.`);
    const columns = columnsOf(deps, id, input, prepared);
    const row = await insertIdentity(tx, { id, account_id: accountId, ...columns });
    if (!row) throw nameTaken();
    return { identity: describeIdentity(deps, row, new Map()), notes: prepared.notes };
  });
}

/** Changes an identity. A check that signs in as the old one writes nothing back, and waiting jobs try the new one. */
export async function updateIdentity(
  deps: Deps,
  { accountId }: Actor,
  id: string,
  input: NewIdentity,
): Promise<{ identity: Identity; notes: string[] }> {
  const old = await findIdentity(deps.db, accountId, id);
  if (!old) throw new AppError("NOT_FOUND");
  assertSecretsStay(deps, old, input);
  const prepared = await prepareIdentity(deps, accountId, input, old);
  return deps.db.transaction().execute(async (tx) => {
    assertIdentitiesAllowed(await takeQuota(tx, accountId));
    if (!(await lockIdentity(tx, accountId, id))) throw new AppError("NOT_FOUND");
    if (await isNameTaken(tx, accountId, id, input.name)) throw nameTaken();
    const row = await updateIdentityRow(tx, id, {
      ...columnsOf(deps, id, input, prepared),
      state: "new",
      problem: null,
      lease: null,
      leased_until: null,
    });
    await wakeJobsOf(tx, accountId, id);
    const identity = describeIdentity(deps, row, await countIdentityUsers(tx, accountId));
    return { identity, notes: prepared.notes };
  });
}

/** A secret never goes to a site that it wasn't entered for. */
export function assertSecretsStay(
  deps: Deps,
  old: IdentityRow,
  { url, origins, secrets }: Pick<NewIdentity, "url" | "origins" | "secrets">,
): void {
  const stored = openSecrets(deps, old);
  const isKept = unmaskValues(secrets, stored).some(({ value }, at) => value !== secrets[at]?.value);
  const wanted = [URL.parse(toPageUrl(url))?.origin ?? "", ...origins];
  const added = wanted.find((origin) => !old.origins.includes(origin));
  if (isKept && added)
    throw new AppError("INVALID_INPUT", `Enter the secrets again: ${added} is a new site for them.`, {
      field: "secrets",
    });
}

async function isNameTaken(tx: Database, accountId: string, id: string, name: string): Promise<boolean> {
  return (await listIdentities(tx, accountId)).some((other) => other.id !== id && other.name === name);
}

/** Deletes an identity and returns its name. A job that uses it would be captured signed out, so that is refused. */
export async function deleteIdentity(deps: Deps, { accountId }: Actor, id: string): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    // Jobs that are saved at the same time see it before or not at all.
    await takeQuota(tx, accountId);
    const row = await lockIdentity(tx, accountId, id);
    if (!row) throw new AppError("NOT_FOUND");
    const { jobs, groups } = (await countIdentityUsers(tx, accountId)).get(id) ?? { jobs: 0, groups: 0 };
    if (jobs + groups > 0) {
      const users = [count(jobs, "job"), count(groups, "group")].filter(Boolean).join(" and ");
      const verb = jobs + groups === 1 ? "uses" : "use";
      throw new AppError("CONFLICT", `${users} ${verb} this identity. Choose another one there first.`);
    }
    await deleteIdentityRow(tx, accountId, id);
    return row.name;
  });
}

const count = (many: number, what: string) => (many === 0 ? "" : `${many} ${what}${many === 1 ? "" : "s"}`);

/** Refuses an identity that the account doesn't have, or that isn't one of the page's site. */
export async function assertIdentityUsable(
  db: Database,
  accountId: string,
  id: string | null | undefined,
  pageUrl?: string,
): Promise<void> {
  if (!id || id === noIdentity) return;
  const row = await findIdentity(db, accountId, id);
  if (!row)
    throw new AppError("INVALID_INPUT", "This identity doesn’t exist any more. Choose another one.", {
      field: "identity",
    });
  const origin = pageUrl && URL.parse(toPageUrl(pageUrl))?.origin;
  if (origin && !row.origins.includes(origin))
    throw new AppError(
      "INVALID_INPUT",
      `“${row.name}” isn’t an identity of ${origin}. Add this site to the identity, or choose another one.`,
      { field: "identity" },
    );
}

const nameTaken = () =>
  new AppError("NAME_TAKEN", "You already have an identity with this name.", { field: "name" });

function describeIdentity(deps: Deps, row: IdentityRow, users: Users): Identity {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    origins: row.origins,
    steps: row.steps,
    secrets: maskValues(openSecrets(deps, row)),
    proof: row.proof,
    hasCookies: row.jar_sealed !== null,
    savedAt: row.jar_saved_at?.toISOString() ?? null,
    state: row.state,
    problem: row.problem,
    signedInAt: row.signed_in_at?.toISOString() ?? null,
    signedOutAt: row.state === "signed-out" ? (row.signed_out_at?.toISOString() ?? null) : null,
    ...(users.get(row.id) ?? { jobs: 0, groups: 0 }),
  };
}
