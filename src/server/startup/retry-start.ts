import { setTimeout as sleep } from "node:timers/promises";
import { passingStates } from "#storage/await-database.ts";

// Error codes of sockets whose other end is gone, and of PostgreSQL while it stops or starts.
const transient = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", ...passingStates]);

/** Messages of pg and kysely about a connection that broke. */
const brokenConnection = /^Connection terminated|^Postgres connection has been discarded/;

/** Starts, and tries again if the database goes away meanwhile, for up to a minute: a restart takes no longer. */
export async function retryStart<T>(
  start: () => Promise<T>,
  { pauseMs = 1_000, patienceMs = 60_000 } = {},
): Promise<T> {
  for (const until = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await start();
    } catch (error) {
      if (!isTransient(error) || Date.now() > until) throw error;
    }
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof SuppressedError && isTransient(error.suppressed)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isAway = code !== undefined && transient.has(code) && (code !== "ENOENT" || syscall === "connect");
  return isAway || brokenConnection.test(error.message) || isTransient(error.cause);
}
