import { AppError } from "#contract/errors.ts";
import type { Database } from "#storage/database.ts";
import { countUse } from "#storage/rate-limits.ts";

/** Refuses with Retry-After once a limit is passed; the count survives restarts. */
export async function limitAttempts(
  db: Database,
  key: string,
  limit: { uses: number; windowSeconds: number },
  what: string,
): Promise<void> {
  const seconds = await countUse(db, key, limit);
  if (seconds === 0) return;
  const minutes = Math.ceil(seconds / 60);
  throw new AppError(
    "RATE_LIMITED",
    `Too many ${what}. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryAfterSeconds: seconds },
  );
}

/** Callers count by address; in IPv6 by /64, which one customer has to himself. */
export function callerKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped || !ip.includes(":")) return mapped ?? ip;
  const [head = "", tail] = ip.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill("0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
