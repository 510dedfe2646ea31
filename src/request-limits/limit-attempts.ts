import ipaddr from "ipaddr.js";
import { AppError } from "#contract/errors.ts";
import type { Database } from "#storage/database.ts";
import { countUse } from "./rate-limits.ts";

/** Refuses with Retry-After once a limit is exceeded; the count survives restarts. */
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

/** An address with a port, which some proxies add to what they forward. */
const withPort = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-fA-F:.]+)\](?::\d+)?)$/;

/**
 * Callers are counted by address; in IPv6 by /64 prefix, which belongs to one customer. A port is left out: it is another
 * one for each connection.
 */
export function callerKey(ip: string): string {
  const [, ipv4, ipv6] = withPort.exec(ip) ?? [];
  const bare = ipv4 ?? ipv6 ?? ip;
  if (!ipaddr.isValid(bare)) return ip;
  const address = ipaddr.process(bare);
  if (!("parts" in address)) return address.toString();
  return address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":");
}
