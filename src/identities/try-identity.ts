import { randomUUID } from "node:crypto";
import type { CaptureRequest, CaptureResult, TakenStep } from "#capture/capture-page.ts";
import type { Actor } from "#contract/actor.ts";
import type { Snapshot } from "#contract/capture.ts";
import { AppError } from "#contract/errors.ts";
import type { IdentityTrial } from "#contract/identity.ts";
import type { ProposedProof } from "#contract/preview.ts";
import { assertIdentitiesAllowed, takeQuota } from "#plans/plan-limits.ts";
import type { Queue } from "#queue/queue.ts";
import { countUse } from "#request-limits/rate-limits.ts";
import { findIdentity } from "#storage/identities.ts";
import { countQueuedPreviews, insertPreview, type PreviewRow } from "#storage/previews.ts";
import { captureSignedIn } from "./capture-signed-in.ts";
import type { Deps } from "./deps.ts";
import { type HeldIdentity, holdIdentity } from "./hold-identity.ts";
import { assertSecretsStay, prepareIdentity } from "./manage-identities.ts";
import { type OpenIdentity, openIdentity, openJar, sessionOf } from "./open-identity.ts";
import { proposeProofs } from "./propose-proofs.ts";
import { keepJar, markSignedOut } from "./record-session.ts";
import { type Capture, signIn } from "./sign-in.ts";

const maxQueued = 2;
/** Sites lock accounts after many sign-ins. */
const perHour = { uses: 20, windowSeconds: 3600 };
const context = (previewId: string) => `preview-identity:${previewId}`;

type AskDeps = Deps & { queue: Queue };
/** What is tried: an identity that isn't saved, or a saved one, whose session is kept. */
type Trial = { saved: string } | { draft: OpenIdentity };

/** Queues a sign-in as a saved identity, whose session is kept if the proof is there. */
export async function askSignIn(deps: AskDeps, actor: Actor, id: string): Promise<string> {
  const row = await findIdentity(deps.db, actor.accountId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return queueTrial(deps, actor, row.url, { saved: id });
}

/** Queues a sign-in as an identity that isn't saved. */
export async function askTrial(deps: AskDeps, actor: Actor, input: IdentityTrial): Promise<string> {
  const { accountId } = actor;
  const old = input.identityId ? await findIdentity(deps.db, accountId, input.identityId) : undefined;
  if (input.identityId && !old) throw new AppError("NOT_FOUND");
  if (old) assertSecretsStay(deps, old, input);
  const { url, origins, steps, secrets, jar } = await prepareIdentity(deps, accountId, input, old);
  const draft: OpenIdentity = {
    id: null,
    accountId,
    name: input.name ?? "",
    url,
    origins,
    steps,
    secrets,
    proof: input.proof ?? null,
    jar: jar ?? (old ? openJar(deps, old) : null),
    signInSketch: old?.sign_in_sketch ?? null,
  };
  return queueTrial(deps, actor, url, { draft });
}

async function queueTrial(deps: AskDeps, { accountId }: Actor, url: string, trial: Trial): Promise<string> {
  const id = randomUUID();
  const { host } = new URL(url);
  await deps.db.transaction().execute(async (tx) => {
    assertIdentitiesAllowed(await takeQuota(tx, accountId));
    if ((await countQueuedPreviews(tx, accountId)) >= maxQueued)
      throw new AppError("RATE_LIMITED", `${maxQueued} previews are still running.`, {
        retryAfterSeconds: 5,
      });
    const seconds = await countUse(tx, `sign-in:${accountId}`, perHour);
    if (seconds > 0)
      throw new AppError(
        "RATE_LIMITED",
        `At most ${perHour.uses} trials of a sign-in an hour. Try again later.`,
        {
          retryAfterSeconds: seconds,
        },
      );
    const identity_sealed = deps.secrets.seal(JSON.stringify(trial), context(id));
    await insertPreview(tx, { id, account_id: accountId, url, host, settings: "{}", identity_sealed });
    await deps.queue.send(tx, "preview", { previewId: id }, { owner: accountId, place: host });
  });
  return id;
}

type Tried =
  | { snapshot: Snapshot; steps: TakenStep[]; proofs: ProposedProof[] }
  | { error: string; steps: TakenStep[] };

/** Signs in as a preview asks for, and looks for proofs if there is none yet. */
export async function tryIdentity(
  deps: Pick<Deps, "db" | "secrets"> & { capture: Capture },
  { id, account_id: accountId, identity_sealed: sealed }: PreviewRow,
): Promise<Tried> {
  const trial = JSON.parse(deps.secrets.open(sealed ?? "", context(id))) as Trial;
  if ("draft" in trial) return signInAs(deps, trial.draft);
  const held = await waitForIdentity(deps, accountId, trial.saved);
  if (typeof held === "string") return { error: held, steps: [] };
  try {
    return await signInAs(deps, openIdentity(deps, held.row), held);
  } finally {
    await held.release();
  }
}

/** Captures a page once as a saved identity, whatever its state. */
export async function captureOnceAs(
  deps: Pick<Deps, "db" | "secrets"> & { capture: Capture },
  accountId: string,
  id: string,
  request: CaptureRequest,
): Promise<CaptureResult> {
  const held = await waitForIdentity(deps, accountId, id);
  if (typeof held === "string")
    return { ok: false, snapshot: null, failure: { kind: "signed-out", message: held } };
  try {
    const known = { wasProven: false, lacksProof: false };
    return await captureSignedIn(deps, held.row, request, known);
  } finally {
    await held.release();
  }
}

const waitMs = 60_000;
const retryMs = 500;

async function waitForIdentity(
  deps: Pick<Deps, "db">,
  accountId: string,
  id: string,
): Promise<HeldIdentity | string> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const held = await holdIdentity(deps, accountId, id);
    if (held) return held;
    if (!(await findIdentity(deps.db, accountId, id))) return "This identity was deleted.";
    if (Date.now() > deadline) return "A check uses this identity. Try again in a moment.";
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function signInAs(
  deps: Pick<Deps, "db" | "secrets"> & { capture: Capture },
  identity: OpenIdentity,
  held?: HeldIdentity,
): Promise<Tried> {
  const tried = identity.steps.length > 0 ? await signIn(deps, identity) : await openSession(deps, identity);
  if (!tried.ok) {
    if (held && tried.isRefused) await markSignedOut(deps, held.row, tried.reason);
    return { error: tried.reason, steps: tried.steps };
  }
  const { snapshot } = tried.result;
  if (held) await keepJar(deps, held.row, tried.jar, { signInSketch: tried.signInSketch });
  if (identity.proof) return { snapshot, steps: tried.steps, proofs: [] };
  const without = await deps.capture({ url: snapshot.finalUrl });
  const proofs = without.ok && !without.unchanged ? proposeProofs(snapshot, without.snapshot) : [];
  return { snapshot, steps: tried.steps, proofs };
}

/** Opens the identity's page with its stored session. */
async function openSession(deps: { capture: Capture }, identity: OpenIdentity) {
  const result: CaptureResult = await deps.capture({
    url: identity.url,
    session: sessionOf(identity, identity.jar),
  });
  const steps = result.steps ?? [];
  const jar = result.session?.jar;
  if (result.ok && !result.unchanged && jar)
    return { ok: true as const, jar, steps, signInSketch: null, result };
  const reason = result.ok ? "The page couldn’t be read." : result.failure.message;
  return { ok: false as const, reason, steps, isRefused: result.session?.signedOut !== undefined };
}
