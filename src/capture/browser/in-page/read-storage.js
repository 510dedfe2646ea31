// Reads what pages of this origin stored in the browser, up to `maxLength` characters. Values that can't be written as
// JSON, such as keys that can't be exported, are left out.
export const readStorage = async ({ maxLength }) => {
  let left = maxLength;
  const fits = (value) => {
    const { length } = JSON.stringify(value) ?? "";
    if (length > left) return false;
    left -= length;
    return true;
  };
  const entriesOf = (storage) => {
    try {
      return Object.keys(storage)
        .map((name) => [name, storage.getItem(name) ?? ""])
        .filter(fits);
    } catch {
      return [];
    }
  };
  const encode = (value, depth = 0) => {
    if (depth > 50) throw new Error("too deep");
    if (value === undefined) return { t: "undefined" };
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : { t: "number", v: String(value) };
    if (typeof value === "bigint") return { t: "bigint", v: String(value) };
    if (value instanceof Date) return { t: "date", v: value.getTime() };
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer ?? value, value.byteOffset ?? 0, value.byteLength);
      return { t: value.constructor.name, v: btoa(String.fromCharCode(...bytes)) };
    }
    if (Array.isArray(value)) return value.map((each) => encode(each, depth + 1));
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error("not JSON");
    return {
      t: "object",
      v: Object.entries(value).map(([name, part]) => [name, encode(part, depth + 1)]),
    };
  };
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    });
  const readStore = async (database, name) => {
    const store = database.transaction(name, "readonly").objectStore(name);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const records = keys.flatMap((key, at) => {
      try {
        const record = [encode(key), encode(values[at])];
        return fits(record) ? [record] : [];
      } catch {
        return [];
      }
    });
    const indexes = [...store.indexNames].map((indexName) => {
      const { keyPath, unique, multiEntry } = store.index(indexName);
      return { name: indexName, keyPath, unique, multiEntry };
    });
    return { name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, records };
  };
  const databases = [];
  try {
    for (const { name, version } of (await indexedDB.databases()).slice(0, 10)) {
      const database = await done(indexedDB.open(name));
      try {
        const stores = [];
        for (const store of [...database.objectStoreNames].slice(0, 30))
          stores.push(await readStore(database, store));
        databases.push({ name, version, stores });
      } finally {
        database.close();
      }
    }
  } catch {
    // A database that can't be opened is left out.
  }
  return { local: entriesOf(localStorage), session: entriesOf(sessionStorage), databases };
};
