const provenForMs = 10 * 60_000;
const maxTokens = 10_000;

/**
 * Tokens that were accepted recently. A call with one of them isn't a guess, so it counts for its account and not for
 * its address. Each call still checks whether the token works.
 */
export function openProvenTokens(now: () => number = Date.now) {
  const provenAt = new Map<string, number>();
  return {
    has: (token: string) => now() - (provenAt.get(token) ?? Number.NEGATIVE_INFINITY) < provenForMs,
    add(token: string): void {
      // Deleted and set again, so that the map's first entry is the least recently used token.
      provenAt.delete(token);
      provenAt.set(token, now());
      const [oldest] = provenAt.size > maxTokens ? provenAt.keys() : [];
      if (oldest !== undefined) provenAt.delete(oldest);
    },
    forget: (token: string) => void provenAt.delete(token),
  };
}
