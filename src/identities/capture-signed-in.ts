import type { CaptureRequest, CaptureResult, TakenStep } from "#capture/capture-page.ts";
import type { SessionJar } from "#capture/session-jar.ts";
import type { IdentityRow } from "#storage/identities.ts";
import type { Deps } from "./deps.ts";
import { openIdentity, sessionOf } from "./open-identity.ts";
import { type AnnounceSignedOut, keepJar, markSignedOut } from "./record-session.ts";
import { type Capture, signIn } from "./sign-in.ts";

type SignedInDeps = Pick<Deps, "db" | "secrets"> & { capture: Capture; announce?: AnnounceSignedOut };

/** What is known about the job from earlier checks. */
export type Known = {
  /** A capture of it showed the proof. */
  wasProven: boolean;
  /** Its last check found a page without the proof although signing in worked. */
  lacksProof: boolean;
};

const hourMs = 3_600_000;

/**
 * Captures a page as an identity. A page that isn't shown to somebody who is signed in is followed by one sign-in and
 * one more try. The caller holds the lease of the jar, which is written back only after the proof was seen.
 */
export async function captureSignedIn(
  deps: SignedInDeps,
  row: IdentityRow & { lease: string },
  request: CaptureRequest,
  known: Known,
): Promise<CaptureResult> {
  const identity = openIdentity(deps, row);
  const capture = async (jar: SessionJar) => {
    const { session, ...result } = await deps.capture({ ...request, session: sessionOf(identity, jar) });
    if (session?.jar) await keepJar(deps, row, session.jar);
    return { ...result, signedOut: session?.signedOut };
  };
  const first = identity.jar && (await capture(identity.jar));
  if (first && !first.signedOut) return first;
  const reason = first?.signedOut?.reason ?? "";
  const isCertain = first?.signedOut?.isCertain ?? true;
  if (identity.steps.length === 0) {
    return isCertain || known.wasProven
      ? endSession(deps, row, `${reason} Paste the cookies of a new session.`.trim(), first?.steps)
      : withoutProof(reason, first?.steps);
  }
  // Signing in again and again for a page that never shows the proof would look like an attack.
  const isTried = Date.now() - (row.signed_in_at?.getTime() ?? 0) < hourMs;
  if (!isCertain && known.lacksProof && isTried) return withoutProof(reason, first?.steps);
  const signedIn = await signIn(deps, identity, request);
  const { steps } = signedIn;
  if (!signedIn.ok) {
    if (signedIn.isRefused) return endSession(deps, row, signedIn.reason, steps);
    const { session: _, ...result } = signedIn.result;
    return { ...result, steps };
  }
  await keepJar(deps, row, signedIn.jar, { signInSketch: signedIn.signInSketch });
  const second = await capture(signedIn.jar);
  const all = [...steps, ...(second.steps ?? [])];
  if (!second.signedOut) return { ...second, steps: all };
  return second.signedOut.isCertain
    ? endSession(
        deps,
        row,
        `We signed in, but the site signed us out again at once. ${second.signedOut.reason}`,
        all,
      )
    : withoutProof(second.signedOut.reason, all);
}

const signedOut = (message: string, steps: TakenStep[] = []) =>
  ({ ok: false, snapshot: null, steps, message }) as const;

/** The identity can't be signed in: it is alerted once, and from now on its jobs wait. */
async function endSession(
  deps: SignedInDeps,
  row: IdentityRow & { lease: string },
  reason: string,
  steps?: TakenStep[],
): Promise<CaptureResult> {
  await markSignedOut(deps, row, reason);
  const { message, ...failed } = signedOut(`“${row.name}” is signed out. ${reason}`, steps);
  return { ...failed, failure: { kind: "signed-out", message, isOfIdentity: true } };
}

/** Signing in works, but this page doesn't show it, which says nothing about the identity's other jobs. */
function withoutProof(reason: string, steps?: TakenStep[]): CaptureResult {
  const { message, ...failed } = signedOut(
    `${reason} We’re signed in, so choose a proof that this page shows too, or another identity.`,
    steps,
  );
  return { ...failed, failure: { kind: "signed-out", message, wall: "login" } };
}
