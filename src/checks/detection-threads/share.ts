// Posting a large page to a thread copies it, and calls to the server wait meanwhile. Long texts and byte arrays are
// therefore copied only once, to shared memory, and read where they are used.

type Shared = Uint8Array<SharedArrayBuffer>;
type Handle = { text: Shared };

const maxCopied = 256 * 1024;
/** Captures are nested at most this deep in the input of a call. */
const maxDepth = 4;

const bytesCache = new WeakMap<Uint8Array, Shared>();
const textCache = new WeakMap<object, Map<string, { source: string; handle: Handle }>>();

/** The value for `postMessage`, with long texts and bytes in shared memory. What was shared before is reused. */
export function share(value: unknown, depth = 0): unknown {
  if (!isPlain(value) || depth > maxDepth) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, each] of Object.entries(value)) {
    const replacement = isLongText(each)
      ? shareText(value, key, each)
      : isLongBytes(each)
        ? shareBytes(each)
        : share(each, depth + 1);
    if (replacement === each) continue;
    copy ??= { ...value };
    copy[key] = replacement;
  }
  return copy ?? value;
}

/** Counts the characters and bytes of long texts and byte arrays. Pixels don't count: they are shared already. */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length > maxCopied ? value.length : 0;
  if (isLongBytes(value)) return value.length;
  if (!isPlain(value) || depth > maxDepth) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each, depth + 1), 0);
}

/** Restores a shared value as it was. Modifies its argument. */
export function unshare(value: unknown, depth = 0): unknown {
  if (!isPlain(value) || depth > maxDepth + 1) return value;
  if (isHandle(value)) return Buffer.from(value.text.buffer).toString("utf8");
  for (const [key, each] of Object.entries(value)) value[key] = unshare(each, depth + 1);
  return value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const isLongText = (value: unknown): value is string =>
  typeof value === "string" && value.length > maxCopied && value.isWellFormed();

const isLongBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length > maxCopied && !(value.buffer instanceof SharedArrayBuffer);

const isHandle = (value: Record<string, unknown>): value is Handle =>
  value.text instanceof Uint8Array && value.text.buffer instanceof SharedArrayBuffer;

const allocateShared = (length: number): Shared => new Uint8Array(new SharedArrayBuffer(length));

function shareBytes(bytes: Uint8Array): Shared {
  let shared = bytesCache.get(bytes);
  if (!shared) {
    shared = allocateShared(bytes.length);
    shared.set(bytes);
    bytesCache.set(bytes, shared);
  }
  return shared;
}

function shareText(owner: object, key: string, value: string): Handle {
  const handles = textCache.get(owner) ?? new Map<string, { source: string; handle: Handle }>();
  textCache.set(owner, handles);
  const cached = handles.get(key);
  if (cached?.source === value) return cached.handle;
  const text = allocateShared(Buffer.byteLength(value));
  new TextEncoder().encodeInto(value, text);
  const handle = { text };
  handles.set(key, { source: value, handle });
  return handle;
}
