import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, periodOf, readCodeKey } from "#page-steps/one-time-code.ts";
import type { Database } from "#storage/database.ts";
import { takePeriod } from "#storage/one-time-codes.ts";

/** The next one-time code that wasn't typed yet, waiting for the next period if it must; null for what is no key. */
export async function takeOneTimeCode(db: Database, accountId: string, text: string): Promise<string | null> {
  const key = readCodeKey(text);
  if (!key) return null;
  const fingerprint = createHash("sha256").update(key.key).digest();
  for (;;) {
    const period = periodOf(key, Date.now());
    if (await takePeriod(db, accountId, fingerprint, period)) return codeOf(key, period);
    await sleep(Math.max(50, (period + 1) * key.periodSeconds * 1000 - Date.now()));
  }
}
