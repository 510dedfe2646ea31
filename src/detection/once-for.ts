/** Works something out once for an object, as long as it is kept: in a history each capture is compared twice. */
export function onceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}

/** The same for texts, as long as all of them together are no longer than a few pages. */
export function onceForText(make: (text: string) => string, most = 2_000_000): (text: string) => string {
  const known = new Map<string, string>();
  let length = 0;
  return (text) => {
    const found = known.get(text) ?? make(text);
    if (!known.has(text) && text.length < most) {
      length += text.length + found.length;
      if (length > most) {
        known.clear();
        length = text.length + found.length;
      }
      known.set(text, found);
    }
    return found;
  };
}
