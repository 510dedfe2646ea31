import type { FastifyRequest } from "fastify";

/**
 * Whether the caller already has the version with this tag: If-None-Match is a list of tags or `*`, and a proxy that
 * compresses may have marked ours as weak (RFC 9110, 13.1.2).
 */
export function matchesTag({ headers }: Pick<FastifyRequest, "headers">, tag: string): boolean {
  const given = headers["if-none-match"]?.trim();
  if (given === undefined) return false;
  if (given === "*") return true;
  return [...given.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, known]) => known === tag);
}
