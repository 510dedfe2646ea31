/** Undefined if there is nothing to parse, or if it isn't JSON. */
export function parseJson<T>(text: string | Uint8Array | null | undefined): T | undefined {
  try {
    return text
      ? (JSON.parse(typeof text === "string" ? text : Buffer.from(text).toString()) as T)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON that must be written exactly as `JSON.stringify` writes it. Otherwise it could hold a key twice, and
 * another program could read another value than this one.
 */
export function parseExactJson<T>(
  given: string | Uint8Array | null | undefined,
  indent?: number,
): T | undefined {
  const value = parseJson<T>(given);
  if (value === undefined || !given) return undefined;
  return Buffer.from(JSON.stringify(value, null, indent)).equals(Buffer.from(given)) ? value : undefined;
}

/** Whether a value is a time as `toISOString` writes it. `Date.parse` alone would accept words after a date. */
export function isTime(value: unknown): value is string {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) && new Date(ms).toISOString() === value;
}
export const isHash = (value: unknown) => typeof value === "string" && /^[\da-f]{64}$/.test(value);
/** Whether a value is a whole number from 1 on. */
export const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;

/** Whether a value is an object with some of these keys and no others. */
export function hasOnlyKeys(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((key) => keys.includes(key))
  );
}

/** Lines of exact JSON, each ended by a line break; undefined for a line that is anything else. */
export function parseLines<T>(bytes: Uint8Array | null | undefined): (T | undefined)[] {
  if (!bytes || bytes.length === 0) return [];
  const lines = Buffer.from(bytes).toString().split("\n");
  const isEnded = lines.pop() === "";
  return [...lines.map((line) => parseExactJson<T>(line)), ...(isEnded ? [] : [undefined])];
}
