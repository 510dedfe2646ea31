import type { Snapshot } from "#contract/capture.ts";
import type { Database } from "#storage/database.ts";
import { keptOf } from "#storage/executions.ts";
import { findToSeal, insertSeals, type ToSeal, takePlaces } from "#storage/seals.ts";
import type { Deps } from "./deps.ts";
import { readText } from "./snapshots.ts";
import { firstLink, hashJson, hashText, linkOf, type Statement, textOf } from "./verify.ts";

type Readable = Pick<Snapshot, "text" | "headers">;
/** Text and headers of which only the hashes are at hand. */
type Hashed = { hashes: { text: string; headers: string } };

/** Executions of jobs, one of each, and what was read of those that were seen just now. */
type Unsealed = Map<string, Readable | Hashed | null>;

/** Adds an execution to its job's chain, within the transaction that records it. */
export async function seal(
  deps: Pick<Deps, "db" | "blobs">,
  tx: Database,
  executionId: string,
): Promise<void> {
  await sealAll(deps, tx, new Map([[executionId, null]]));
}

/** Adds executions of several jobs to their jobs' chains. */
export async function sealAll(
  deps: Pick<Deps, "db" | "blobs">,
  tx: Database,
  executions: Unsealed,
): Promise<void> {
  const all = await findToSeal(tx, [...executions.keys()]);
  if (all.length === 0) return;
  const read = await Promise.all(
    all.map((found) => readableHashes(deps, found, executions.get(found.execution.id))),
  );
  const places = await takePlaces(
    tx,
    all.map(({ execution: { job_id, account_id } }) => ({ job_id, account_id })),
  );
  const seals = all.map((found, i) => {
    const { execution } = found;
    const place = places.get(execution.job_id);
    if (!place) throw new Error("a chain has no place");
    const statement = JSON.stringify(toStatement(found, place.at, read[i] ?? {}));
    const digest = hashText(statement);
    const hash = linkOf(place.previous?.toString("hex") ?? firstLink(execution.job_id), digest);
    return {
      job_id: execution.job_id,
      position: place.position,
      execution_id: execution.id,
      number: execution.number,
      statement,
      digest: Buffer.from(digest, "hex"),
      hash: Buffer.from(hash, "hex"),
    };
  });
  await insertSeals(tx, seals);
}

function toStatement({ execution, url, verdict, log }: ToSeal, sealed: Date, read: object): Statement {
  const kept = keptOf(execution);
  return {
    watchglass: "seal 1",
    job: execution.job_id,
    execution: execution.id,
    number: execution.number,
    at: execution.created_at.toISOString(),
    sealed: sealed.toISOString(),
    url,
    status: execution.status_code,
    changed: execution.changed,
    severity: execution.severity,
    similarity: execution.similarity,
    summary: execution.summary,
    error: execution.error,
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
      ...read,
      ...(verdict ? { verdict: hashJson(verdict) } : {}),
      log: hashJson(log),
    },
    logLines: log.length,
  };
}

/** The hashes of text and headers; a page that stands has those of the execution it was compared with. */
async function readableHashes(
  deps: Pick<Deps, "db" | "blobs">,
  { execution, before }: ToSeal,
  seen?: Readable | Hashed | null,
): Promise<{ text?: string; headers?: string }> {
  const kept = keptOf(execution);
  if (!kept) return {};
  if (seen && "hashes" in seen) return seen.hashes;
  if (!seen && before) {
    const { parts } = JSON.parse(before) as Statement;
    const { text, headers } = parts;
    if (parts.facts === kept.facts.toString("hex") && text && headers) return { text, headers };
  }
  const facts = seen ?? (JSON.parse(await readText(deps, execution.account_id, kept.facts)) as Readable);
  return { text: hashText(textOf(facts)), headers: hashJson(facts.headers) };
}
