import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Why a database can't be used, in words for the operator. */
export class DatabaseProblem extends Error {}

const oldestVersion = 15;
/** PostgreSQL's error codes while it is stopped, just killed, or not started yet: all of them are temporary. */
export const passingStates = ["57P01", "57P02", "57P03"];

/** Waits until a database answers, a minute by default, and checks that its version is supported. */
export async function awaitDatabase(
  connectionString: string,
  { onWait, patienceMs = 60_000 }: { onWait?: (reason: string) => void; patienceMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    const reason = await tryOnce(connectionString);
    if (reason === undefined) return;
    if (attempt === 0) onWait?.(reason);
    if (Date.now() >= deadline) {
      const seconds = Math.round(patienceMs / 1000);
      throw new DatabaseProblem(`DATABASE_URL: no database answered for ${seconds} s (${reason}).`);
    }
    await sleep(Math.min(1000, patienceMs));
  }
}

/** Returns why another try is worthwhile, or undefined on success; throws if waiting can't help. */
async function tryOnce(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; name: string }>(
      "select current_setting('server_version_num')::integer as number, current_setting('server_version') as name",
    );
    const { number = 0, name = "" } = rows[0] ?? {};
    if (number < oldestVersion * 10_000) {
      throw new DatabaseProblem(
        `DATABASE_URL leads to PostgreSQL ${name.split(" ")[0]}; Watchglass needs ${oldestVersion} or later.`,
      );
    }
    if (await sharesByTransaction(connectionString, client))
      throw new DatabaseProblem(
        "DATABASE_URL leads to a pooler that lends connections for one transaction, such as PgBouncer with pool_mode = transaction. Watchglass listens and takes locks on connections of its own: set pool_mode = session, or give it the database's own address.",
      );
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseProblem) throw error;
    const { code, message, errors } = error as Error & { code?: string; errors?: Error[] };
    if (isRefusal(error)) throw new DatabaseProblem(`DATABASE_URL: the database refuses us (${message}).`);
    return message || errors?.[0]?.message || code || "no answer";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether the server itself refuses, for example a wrong password or an unknown database: then waiting doesn't help. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !passingStates.includes(error.code ?? "");
}

/**
 * Whether a pooler gives connections away between transactions. Two connections that are open at the same time then
 * share one process of the database, or one connection has another process after the other's transaction took its own.
 */
async function sharesByTransaction(connectionString: string, first: pg.Client): Promise<boolean> {
  const second = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  second.on("error", () => undefined);
  const processOf = async (client: pg.Client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid;
  };
  try {
    await second.connect();
    // Between two of these steps somebody else may take the connection, so it is tried several times.
    for (let attempt = 0; attempt < 3; attempt++) {
      const before = await processOf(first);
      await second.query("begin");
      if ((await processOf(second)) === before || (await processOf(first)) !== before) return true;
      await second.query("rollback");
    }
    return false;
  } catch (error) {
    if (/transaction blocks not allowed/.test((error as Error).message)) return true;
    throw error;
  } finally {
    await second.end().catch(() => undefined);
  }
}
