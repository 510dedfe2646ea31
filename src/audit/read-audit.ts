import type { Deps } from "#accounts/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { type AuditAction, type AuditEntry, auditActions } from "#contract/audit.ts";
import { listAuditEntries } from "#storage/audit.ts";

type Row = Awaited<ReturnType<typeof listAuditEntries>>[number];

const toEntry = ({ id, action, about, actor, address, device, created_at }: Row): AuditEntry => ({
  id,
  at: created_at.toISOString(),
  action: action as AuditAction,
  text: auditActions[action as AuditAction],
  about,
  actor,
  address,
  device,
});

/** Reads one page of the account's audit trail, newest first. */
export async function readAudit(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const rows = await listAuditEntries(db, accountId, limit + 1, cursor);
  const entries = rows.slice(0, limit).map(toEntry);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** Reads the whole audit trail, page by page. Entries that are added meanwhile are left out. */
export async function exportAudit(
  deps: Pick<Deps, "db">,
  actor: Actor,
): Promise<AsyncGenerator<AuditEntry, void>> {
  const first = await readAudit(deps, actor, { limit: 500 });
  return (async function* () {
    for (let page = first; ; ) {
      yield* page.entries;
      if (!page.nextCursor) return;
      page = await readAudit(deps, actor, { cursor: page.nextCursor, limit: 500 });
    }
  })();
}
