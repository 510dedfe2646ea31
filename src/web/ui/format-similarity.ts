/** Formats a similarity, rounded down: only identical captures are 100 % alike. */
export function formatSimilarity(similarity: number): string {
  return `${similarity === 100 ? 100 : (Math.floor(similarity * 10) / 10).toFixed(1)}%`;
}
