import type { Actor } from "#contract/actor.ts";
import { type AuditAction, type AuditEntry, auditActions } from "#contract/audit.ts";
import { listAuditEntries } from "#storage/audit.ts";
import type { Deps } from "./deps.ts";

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

/** A page of what was done to the account, the newest first. */
export async function readAudit(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const rows = await listAuditEntries(db, accountId, limit + 1, cursor);
  const entries = rows.slice(0, limit).map(toEntry);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** All of it, page by page. */
export async function* exportAudit(deps: Pick<Deps, "db">, actor: Actor): AsyncGenerator<AuditEntry> {
  let cursor: string | undefined;
  do {
    const page = await readAudit(deps, actor, { cursor, limit: 500 });
    yield* page.entries;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}
