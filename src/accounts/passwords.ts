import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";

// argon2id (the library's default) with 19 MiB, two passes, one lane: the least that OWASP allows.
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Bounds how many hashes run at once, so that a burst of sign-ins cannot take all memory and cores. */
const inTurn = pLimit(availableParallelism());

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, options));
}

let decoy: Promise<string> | undefined;

/** Takes the same time whether or not there is a hash to compare with. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword("an address that nobody has");
  const against = stored ?? (await decoy);
  const matches = await inTurn(() => verify(against, password));
  return stored !== undefined && matches;
}
