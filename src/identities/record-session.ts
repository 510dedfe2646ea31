import type { SessionJar } from "#capture/session-jar.ts";
import type { Database } from "#storage/database.ts";
import { type IdentityRow, updateLeasedIdentity, wakeJobsOf } from "#storage/identities.ts";
import type { Deps } from "./deps.ts";
import { sealJar } from "./open-identity.ts";

type Leased = IdentityRow & { lease: string };

/** Tells the user, in the transaction in which the identity becomes signed out. */
export type AnnounceSignedOut = (tx: Database, row: IdentityRow) => Promise<void>;

/** Stores the session of a capture that showed the proof. `signInSketch` is given after a sign-in. */
export async function keepJar(
  deps: Pick<Deps, "db" | "secrets">,
  { lease, id, account_id: accountId, state }: Leased,
  jar: SessionJar,
  signedIn?: { signInSketch: number[] | null },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const now = new Date();
    const kept = await updateLeasedIdentity(tx, lease, {
      jar_sealed: sealJar(deps, id, jar),
      jar_saved_at: now,
      state: "signed-in",
      problem: null,
      ...(signedIn && {
        signed_in_at: now,
        sign_in_sketch: signedIn.signInSketch && JSON.stringify(signedIn.signInSketch),
      }),
    });
    if (kept && state === "signed-out") await wakeJobsOf(tx, accountId, id);
  });
}

/** Marks an identity as signed out, once until it is signed in again. */
export async function markSignedOut(
  { db, announce }: Pick<Deps, "db"> & { announce?: AnnounceSignedOut },
  { lease, state }: Leased,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await updateLeasedIdentity(tx, lease, {
      state: "signed-out",
      problem: reason,
      ...(state !== "signed-out" && { signed_out_at: new Date() }),
    });
    if (row && state !== "signed-out") await announce?.(tx, row);
  });
}
