export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

export function isRecord(value: Value): value is { [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as JSON with sorted keys, so that their order alone makes no difference. */
export const printSorted = (value: Value | undefined, indent = 0): string =>
  JSON.stringify(
    value,
    (_, item: Value) =>
      isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([p], [q]) => (p < q ? -1 : 1))) : item,
    indent,
  );

/** Gives equal values the same number, regardless of the order of their keys. Each subtree is visited once. */
export class Signatures {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<object, number>();
  readonly #sizes = new Map<object, number>();

  of(value: Value): number {
    if (typeof value !== "object" || value === null) return this.#intern(`${typeof value} ${String(value)}`);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    let text: string;
    let size = 1;
    if (Array.isArray(value)) {
      text = `[${value.map((item) => this.of(item)).join()}]`;
      for (const item of value) size += this.size(item);
    } else {
      const keys = Object.keys(value).sort();
      text = `{${keys.map((key) => `${JSON.stringify(key)}:${this.of(value[key]!)}`).join()}}`;
      for (const key of keys) size += this.size(value[key]!);
    }
    const id = this.#intern(text);
    this.#known.set(value, id);
    this.#sizes.set(value, size);
    return id;
  }

  /** Number of values that a value consists of, itself included. */
  size(value: Value): number {
    if (typeof value !== "object" || value === null) return 1;
    if (!this.#sizes.has(value)) this.of(value);
    return this.#sizes.get(value)!;
  }

  #intern(text: string): number {
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }
}
