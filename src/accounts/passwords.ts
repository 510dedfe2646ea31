import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "#contract/errors.ts";

// argon2id (the library's default) with 19 MiB, two passes, no parallelism: the least that OWASP allows.
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Limits how many hashes run at once, so that a burst of sign-ins can't take all memory and cores. */
const hashLimit = pLimit(availableParallelism());
// A hash takes about 30 ms. A caller behind this many others would wait for seconds, so it is refused instead.
const maxWaiting = 40;
const maxPerCaller = 4;
const callerLimits = new Map<string, LimitFunction>();

/** Runs the hashes of one caller one at a time, which leaves room for other callers. */
async function runLimited<T>(work: () => Promise<T>, caller?: string): Promise<T> {
  const callerLimit = caller ? (callerLimits.get(caller) ?? pLimit(1)) : undefined;
  if (
    hashLimit.pendingCount >= maxWaiting ||
    (callerLimit && callerLimit.activeCount + callerLimit.pendingCount >= maxPerCaller)
  ) {
    throw new AppError("RATE_LIMITED", "Too many sign-ins at once. Try again in a moment.", {
      retryAfterSeconds: 2,
    });
  }
  if (!caller || !callerLimit) return hashLimit(work);
  callerLimits.set(caller, callerLimit);
  try {
    return await callerLimit(() => hashLimit(work));
  } finally {
    if (callerLimit.activeCount + callerLimit.pendingCount === 0) callerLimits.delete(caller);
  }
}

export async function hashPassword(password: string, caller?: string): Promise<string> {
  return runLimited(() => hash(password, options), caller);
}

let decoy: Promise<string> | undefined;

/** Takes the same time whether or not there is a hash to compare with. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  caller: string,
): Promise<boolean> {
  decoy ??= hashPassword("an address that nobody has");
  const hashToCheck = stored ?? (await decoy);
  const matches = await runLimited(() => verify(hashToCheck, password), caller);
  return stored !== undefined && matches;
}
