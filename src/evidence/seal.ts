import type { Snapshot } from "#contract/capture.ts";
import { readBytes } from "#storage/contents.ts";
import type { Database } from "#storage/database.ts";
import { storedPartsOf } from "#storage/executions.ts";
import type { Deps } from "./deps.ts";
import { firstLink, hashJson, hashText, linkOf, type Statement, textOf } from "./seal-format.ts";
import { findToSeal, insertSeals, type ToSeal, takeChainPositions } from "./seal-rows.ts";

type Readable = Pick<Snapshot, "text" | "headers">;
/** For text and headers of which only the hashes are known. */
type Hashed = { hashes: { text: string; headers: string } };

/** Executions, one per job, with the text and headers of those that were captured just now. */
type Unsealed = Map<string, Readable | Hashed | null>;

/** Adds an execution to its job's chain, within the transaction that records it. */
export async function seal(deps: Deps, tx: Database, executionId: string): Promise<void> {
  await sealAll(deps, tx, new Map([[executionId, null]]));
}

/** Adds executions of several jobs to their jobs' chains. */
export async function sealAll(deps: Deps, tx: Database, executions: Unsealed): Promise<void> {
  const all = await findToSeal(tx, [...executions.keys()]);
  if (all.length === 0) return;
  const textHashes = await Promise.all(
    all.map((found) => readableHashes(deps, found, executions.get(found.execution.id))),
  );
  const chainPositions = await takeChainPositions(
    tx,
    all.map(({ execution: { job_id, account_id } }) => ({ job_id, account_id })),
  );
  const seals = all.map((found, i) => {
    const { execution } = found;
    const chainPosition = chainPositions.get(execution.job_id);
    if (!chainPosition) throw new Error("a chain has no place");
    const statement = JSON.stringify(toStatement(found, chainPosition.at, textHashes[i] ?? {}));
    const digest = hashText(statement);
    const hash = linkOf(chainPosition.previous?.toString("hex") ?? firstLink(execution.job_id), digest);
    return {
      job_id: execution.job_id,
      position: chainPosition.position,
      execution_id: execution.id,
      number: execution.number,
      statement,
      digest: Buffer.from(digest, "hex"),
      hash: Buffer.from(hash, "hex"),
    };
  });
  await insertSeals(tx, seals);
}

function toStatement(
  { execution, name, url, verdict, log }: ToSeal,
  sealed: Date,
  textHashes: object,
): Statement {
  const kept = storedPartsOf(execution);
  return {
    watchglass: "seal 2",
    job: execution.job_id,
    execution: execution.id,
    number: execution.number,
    at: execution.created_at.toISOString(),
    sealed: sealed.toISOString(),
    name,
    url,
    status: execution.status_code,
    changed: execution.changed,
    severity: execution.severity,
    similarity: execution.similarity,
    summary: execution.summary,
    error: execution.error,
    truncated: execution.truncated,
    durationMs: execution.duration_ms,
    attempts: execution.attempts,
    imported: execution.imported,
    values:
      execution.followed &&
      Object.fromEntries(
        Object.entries(execution.followed).map(([name, { text, number }]) => [name, { text, number }]),
      ),
    parts: {
      ...(kept?.picture ? { picture: kept.picture.toString("hex") } : {}),
      ...(kept
        ? {
            html: kept.html.toString("hex"),
            response: kept.body.toString("hex"),
            facts: kept.facts.toString("hex"),
          }
        : {}),
      ...textHashes,
      ...(verdict ? { verdict: hashJson(verdict) } : {}),
      log: hashJson(log),
    },
    logLines: log.length,
  };
}

/** The hashes of text and headers; an unchanged page has those of the execution it was compared with. */
async function readableHashes(
  deps: Deps,
  { execution, before }: ToSeal,
  fresh?: Readable | Hashed | null,
): Promise<{ text?: string; headers?: string }> {
  const kept = storedPartsOf(execution);
  if (!kept) return {};
  if (fresh && "hashes" in fresh) return fresh.hashes;
  if (!fresh && before) {
    const { parts } = JSON.parse(before) as Statement;
    const { text, headers } = parts;
    if (parts.facts === kept.facts.toString("hex") && text && headers) return { text, headers };
  }
  const facts = fresh ?? (await readFacts(deps, execution.account_id, kept.facts));
  return { text: hashText(textOf(facts)), headers: hashJson(facts.headers) };
}

async function readFacts(deps: Deps, accountId: string, hash: Buffer): Promise<Readable> {
  return JSON.parse(Buffer.from(await readBytes(deps, accountId, hash)).toString()) as Readable;
}
