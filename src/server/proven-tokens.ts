const keptMs = 10 * 60_000;
const mostTokens = 10_000;

/**
 * Tokens by which somebody was let in a short while ago. A call with one of them isn't a guess, so it counts for its
 * account and not for its address; whether the token still works is looked up all the same.
 */
export function openProvenTokens(now: () => number = Date.now) {
  const provenAt = new Map<string, number>();
  return {
    has: (token: string) => now() - (provenAt.get(token) ?? Number.NEGATIVE_INFINITY) < keptMs,
    add(token: string): void {
      // Added anew, so that the first of the map is the one that was not used for longest.
      provenAt.delete(token);
      provenAt.set(token, now());
      const [oldest] = provenAt.size > mostTokens ? provenAt.keys() : [];
      if (oldest !== undefined) provenAt.delete(oldest);
    },
    forget: (token: string) => void provenAt.delete(token),
  };
}
