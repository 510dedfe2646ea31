import { runBillingClock } from "#billing/billing-clock.ts";
import { deleteExpiredTokens } from "#storage/account-tokens.ts";
import { deleteOldTurns } from "#storage/channels-pace.ts";
import { deleteExpiredLimits } from "#storage/rate-limits.ts";
import { deleteExpiredSessions } from "#storage/sessions.ts";
import type { App } from "./compose.ts";

const EVERY_MS = 10 * 60_000;

/** Removes what has expired, now and then; answers how to stop. */
export function startHousekeeping(app: App): () => Promise<void> {
  let running = Promise.resolve();
  const tick = () => {
    running = sweep(app).catch((error: unknown) => app.logger.warn({ err: error }, "housekeeping failed"));
  };
  tick();
  const timer = setInterval(tick, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function sweep({ db, billing }: App): Promise<void> {
  await deleteExpiredSessions(db);
  await deleteExpiredTokens(db);
  await deleteExpiredLimits(db);
  await runBillingClock(billing);
  await deleteOldTurns(db);
}
