import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";

// argon2id (the library's default) with 19 MiB, two passes, one lane: the least that OWASP allows.
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

const slots = availableParallelism();
let running = 0;
const waiting: (() => void)[] = [];

/** Bounds how many hashes run at once, so that a burst of sign-ins cannot take all memory and cores. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= slots) await new Promise<void>((resume) => waiting.push(resume));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

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
