import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** What a person is told of a database that cannot be used. */
export class DatabaseProblem extends Error {}

const oldest = 15;
/** What PostgreSQL says of itself when it is stopped, just killed, or not up yet: each passes. */
export const passingStates = ["57P01", "57P02", "57P03"];

/** Waits until a database answers, a minute at most, and sees that it is one that we can use. */
export async function awaitDatabase(
  connectionString: string,
  { onWait, patienceMs = 60_000 }: { onWait?: (reason: string) => void; patienceMs?: number } = {},
): Promise<void> {
  const until = Date.now() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    const reason = await tryOnce(connectionString);
    if (reason === undefined) return;
    if (Date.now() >= until) {
      const seconds = Math.round(patienceMs / 1000);
      throw new DatabaseProblem(`DATABASE_URL: no database answered for ${seconds} s (${reason}).`);
    }
    if (attempt === 0) onWait?.(reason);
    await sleep(Math.min(1000, patienceMs));
  }
}

/** Answers why it is worth another try; throws what waiting cannot help. */
async function tryOnce(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; name: string }>(
      "select current_setting('server_version_num')::integer as number, current_setting('server_version') as name",
    );
    const { number = 0, name = "" } = rows[0] ?? {};
    if (number < oldest * 10_000) {
      throw new DatabaseProblem(
        `DATABASE_URL leads to PostgreSQL ${name.split(" ")[0]}; Watchglass needs ${oldest} or later.`,
      );
    }
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseProblem) throw error;
    const { code, message, errors } = error as Error & { code?: string; errors?: Error[] };
    // A refusal by the server itself (a wrong password, no such database) does not pass by waiting.
    if (code && /^[0-9A-Z]{5}$/.test(code) && !passingStates.includes(code))
      throw new DatabaseProblem(`DATABASE_URL: the database refuses us (${message}).`);
    return message || errors?.[0]?.message || code || "no answer";
  } finally {
    await client.end().catch(() => undefined);
  }
}
