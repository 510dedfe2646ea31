import { endLease, type IdentityRow, leaseIdentity, renewLease } from "#storage/identities.ts";
import type { Deps } from "./deps.ts";

type Holding = {
  renewMs?: number;
  /** Called once if somebody changed or deleted the identity, after which nothing is written back. */
  onLost?: () => void;
};

/** An identity whose jar nobody else uses until it is released. */
export type HeldIdentity = { row: IdentityRow & { lease: string }; release: () => Promise<void> };

/** Takes the jar of an identity; undefined while another capture has it, so that none signs the other out. */
export async function holdIdentity(
  { db }: Pick<Deps, "db">,
  accountId: string,
  id: string,
  { renewMs = 30_000, onLost }: Holding = {},
): Promise<HeldIdentity | undefined> {
  const row = await leaseIdentity(db, accountId, id);
  if (!row) return undefined;
  async function renew(lease: string): Promise<void> {
    if (await renewLease(db, lease)) return;
    clearInterval(timer);
    onLost?.();
  }
  // A failed renewal only means that the lease may end early, after which nothing is written back.
  const timer = setInterval(() => void renew(row.lease).catch(() => undefined), renewMs);
  timer.unref();
  return {
    row,
    async release() {
      clearInterval(timer);
      await endLease(db, row.lease).catch(() => undefined);
    },
  };
}
