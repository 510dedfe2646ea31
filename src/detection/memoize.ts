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
export function memoizeByText(make: (text: string) => string, most = 2_000_000): (text: string) => string {
  const cache = new Map<string, string>();
  let length = 0;
  return (text) => {
    const found = cache.get(text) ?? make(text);
    if (!cache.has(text) && text.length < most) {
      length += text.length + found.length;
      if (length > most) {
        cache.clear();
        length = text.length + found.length;
      }
      cache.set(text, found);
    }
    return found;
  };
}
