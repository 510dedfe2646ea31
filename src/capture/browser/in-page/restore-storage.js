// Puts back what pages of this origin had stored in the browser.
export const restoreStorage = async ({ local, session, databases }) => {
  const decode = (value) => {
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== "object" || value === null) return value;
    const { t: type, v: content } = value;
    if (type === "undefined") return undefined;
    if (type === "number") return Number(content);
    if (type === "bigint") return BigInt(content);
    if (type === "date") return new Date(content);
    if (type === "object") return Object.fromEntries(content.map(([name, part]) => [name, decode(part)]));
    const { buffer } = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    if (type === "ArrayBuffer") return buffer;
    return type === "DataView" ? new DataView(buffer) : new globalThis[type](buffer);
  };
  const fill = (storage, entries) => {
    for (const [name, value] of entries) storage.setItem(name, value);
  };
  const restoreDatabase = ({ name, version, stores }) =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, version);
      request.onerror = () => reject(request.error);
      request.onupgradeneeded = () => {
        for (const { name: storeName, keyPath, autoIncrement, indexes, records } of stores) {
          const store = request.result.createObjectStore(storeName, { keyPath, autoIncrement });
          for (const { name: indexName, keyPath: path, unique, multiEntry } of indexes)
            store.createIndex(indexName, path, { unique, multiEntry });
          for (const [key, value] of records)
            if (keyPath === null) store.put(decode(value), decode(key));
            else store.put(decode(value));
        }
      };
      request.onsuccess = () => {
        request.result.close();
        resolve();
      };
    });
  try {
    fill(localStorage, local);
    fill(sessionStorage, session);
    for (const database of databases) await restoreDatabase(database);
  } catch {
    // What doesn't fit is left out; the proof shows whether the session still works.
  }
};
