import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "#contract/errors.ts";

// argon2id (the library's default) with 19 MiB, two passes, one lane: the least that OWASP allows.
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Bounds how many hashes run at once, so that a burst of sign-ins cannot take all memory and cores. */
const atOnce = pLimit(availableParallelism());
// A hash takes some 30 ms: whoever comes after so many would wait for seconds, and is told instead.
const maxWaiting = 40;
const maxOfCaller = 4;
const ofCaller = new Map<string, LimitFunction>();

/** Those of one caller one after the other: so there is room for somebody else's. */
async function inTurn<T>(work: () => Promise<T>, caller?: string): Promise<T> {
  const mine = caller ? (ofCaller.get(caller) ?? pLimit(1)) : undefined;
  if (atOnce.pendingCount >= maxWaiting || (mine && mine.activeCount + mine.pendingCount >= maxOfCaller)) {
    throw new AppError("RATE_LIMITED", "Too many sign-ins at once. Try again in a moment.", {
      retryAfterSeconds: 2,
    });
  }
  if (!caller || !mine) return atOnce(work);
  ofCaller.set(caller, mine);
  try {
    return await mine(() => atOnce(work));
  } finally {
    if (mine.activeCount + mine.pendingCount === 0) ofCaller.delete(caller);
  }
}

export async function hashPassword(password: string, caller?: string): Promise<string> {
  return inTurn(() => hash(password, options), caller);
}

let decoy: Promise<string> | undefined;

/** Takes the same time whether or not there is a hash to compare with. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  caller: string,
): Promise<boolean> {
  decoy ??= hashPassword("an address that nobody has");
  const against = stored ?? (await decoy);
  const matches = await inTurn(() => verify(against, password), caller);
  return stored !== undefined && matches;
}
