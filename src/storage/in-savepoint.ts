import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Runs a part of a transaction; if it fails, only this part is rolled back. */
export async function inSavepoint<T>(tx: Database, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint part`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    throw error;
  }
}
