import { setTimeout as sleep } from "node:timers/promises";
import { passingStates } from "#storage/await-database.ts";

// What sockets say of an end that is gone, and PostgreSQL of itself.
const passing = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", ...passingStates]);

/** What pg and kysely say of a connection that broke under them. */
const broken = /^Connection terminated|^Postgres connection has been discarded/;

/** Starts, and again where the database went away on the way: who restarts it does so within a minute. */
export async function startAgain<T>(
  start: () => Promise<T>,
  { pauseMs = 1_000, patienceMs = 60_000 } = {},
): Promise<T> {
  for (const until = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    try {
      return await start();
    } catch (error) {
      if (!isPassing(error) || Date.now() > until) throw error;
    }
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof SuppressedError && isPassing(error.suppressed)) return true;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isAway = code !== undefined && passing.has(code) && (code !== "ENOENT" || syscall === "connect");
  return isAway || broken.test(error.message) || isPassing(error.cause);
}
