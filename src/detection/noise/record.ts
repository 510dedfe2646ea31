/** Places are named by the page's author, who may call a tag constructor. */
export function own<T>(record: Record<string, T> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The entries used last, at most `limit`. */
export function newest<T>(
  record: Record<string, T>,
  limit: number,
  age: (value: T) => number,
): Record<string, T> {
  const entries = Object.entries(record);
  if (entries.length <= limit) return record;
  return Object.fromEntries(entries.sort((a, b) => age(b[1]) - age(a[1])).slice(0, limit));
}
