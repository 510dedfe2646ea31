/** Caches a function's result per object, while the object exists: in a history each capture is compared twice. */
export function memoizeByObject<Key extends object, Value>(
  make: (key: Key) => Value,
): ((key: Key) => Value) & { forget: () => void } {
  let cache = new WeakMap<Key, { value: Value }>();
  const read = (key: Key) => {
    const found = cache.get(key) ?? { value: make(key) };
    cache.set(key, found);
    return found.value;
  };
  const forget = () => {
    cache = new WeakMap();
  };
  return Object.assign(read, { forget });
}

/** Caches a function's results for texts, while together they have at most `most` characters: a few pages. */
export function memoizeByText(
  make: (text: string) => string,
  most = 2_000_000,
): ((text: string) => string) & { forget: () => void } {
  const cache = new Map<string, string>();
  let length = 0;
  const forget = () => {
    cache.clear();
    length = 0;
  };
  const read = (text: string) => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const found = make(text);
    const added = text.length + found.length;
    if (length + added > most) forget();
    if (added <= most) {
      length += added;
      cache.set(text, found);
    }
    return found;
  };
  return Object.assign(read, { forget });
}
