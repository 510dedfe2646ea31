/** Reads own properties only: the keys are locations named by the page's author, who may name a tag "constructor". */
export function own<T>(record: Record<string, T> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The most recently used entries, at most `limit`. */
export function newest<T>(
  record: Record<string, T>,
  limit: number,
  lastUse: (value: T) => number,
): Record<string, T> {
  const entries = Object.entries(record);
  if (entries.length <= limit) return record;
  return Object.fromEntries(entries.sort((a, b) => lastUse(b[1]) - lastUse(a[1])).slice(0, limit));
}
