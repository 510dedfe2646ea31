import { emptyJar, type SessionJar } from "#capture/session-jar.ts";
import type { LivePage } from "#capture/show-page.ts";
import { holdIdentity } from "#identities/hold-identity.ts";
import { openJar, sealJar } from "#identities/open-identity.ts";
import { keepJar } from "#identities/record-session.ts";
import { findIdentity, type IdentityRow } from "#storage/identities.ts";
import { keepLiveJar, type LiveViewRow } from "#storage/live-views.ts";
import type { Deps } from "./deps.ts";

const busy = "A check uses this identity. Try again in a moment.";
const deleted = "This identity was deleted.";
const notKept = "You can go on, but its session isn’t kept.";
const renewMs = 5_000;

/** Keeps what the user did to sign in: for the identity, or until the identity is saved. Not kept: why, as a sentence. */
export async function keepSession(
  deps: Deps,
  { id, account_id: accountId, identity_id: identityId, origins }: LiveViewRow,
  page: LivePage,
): Promise<{ isKept: boolean; message: string }> {
  const row = identityId ? await findIdentity(deps.db, accountId, identityId) : undefined;
  if (identityId && !row) return { isKept: false, message: deleted };
  const seen = await page.lookForProof(row?.proof ?? {});
  if (!row && seen.asksForPassword)
    return { isKept: false, message: "The page still asks for a password. Sign in first." };
  if (row && !seen.proven)
    return {
      isKept: false,
      message: `The page doesn’t show the proof of being signed in (${describeProof(row)}). Sign in, or open a page that shows it.`,
    };
  // Reading the session leaves the page, so nothing may stop it from being kept after that.
  const held = row && (await holdIdentity(deps, accountId, row.id));
  if (row && !held) return { isKept: false, message: busy };
  try {
    const jar = await page.readJar(origins, emptyJar);
    if (jar.cookies.length + jar.origins.length === 0)
      return { isKept: false, message: "The browser has no session of these sites yet. Sign in first." };
    if (held) await keepJar(deps, held.row, jar, { signInSketch: held.row.sign_in_sketch });
    else await keepLiveJar(deps.db, id, sealJar(deps, id, jar));
    return { isKept: true, message: row ? `“${row.name}” is signed in.` : "The session is kept." };
  } finally {
    await held?.release();
  }
}

/**
 * The session with which a live view of a page behind a sign-in begins, used by nobody else until `end`. `onNotice`
 * takes what its user must know of it.
 */
export async function borrowSession(
  deps: Deps,
  { account_id: accountId, identity_id: identityId, signs_in: signsIn }: LiveViewRow,
  onNotice: (message: string) => void,
): Promise<{ jar: SessionJar | null; end: (page: LivePage | null) => Promise<void> } | { problem: string }> {
  if (!identityId || signsIn) return { jar: null, end: async () => undefined };
  async function explainLoss(id: string): Promise<void> {
    const row = await findIdentity(deps.db, accountId, id);
    onNotice(`${row ? `“${row.name}” was changed.` : deleted} ${notKept}`);
  }
  const onLost = () => void explainLoss(identityId).catch(() => undefined);
  const held = await holdIdentity(deps, accountId, identityId, { renewMs, onLost });
  if (!held) return { problem: (await findIdentity(deps.db, accountId, identityId)) ? busy : deleted };
  const { row, release } = held;
  const jar = row.state === "signed-out" ? null : openJar(deps, row);
  if (!jar) {
    await release();
    return { problem: `“${row.name}” isn’t signed in. Sign in under Identities in your profile first.` };
  }
  return {
    jar,
    async end(page) {
      try {
        if (page && (await page.lookForProof(row.proof)).proven)
          await keepJar(deps, row, await page.readJar(row.origins, jar));
      } finally {
        await release();
      }
    },
  };
}

const describeProof = ({ proof }: IdentityRow) =>
  [proof.text && `“${proof.text}”`, proof.selector].filter(Boolean).join(", ");
