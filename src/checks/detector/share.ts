// To hand a large page to a thread is to copy it, and whoever asks something of the server waits meanwhile. What is long
// is copied once, to memory that both see, and read where it is used.

type Handle = { shared: Uint8Array<SharedArrayBuffer>; isText: boolean };

const long = 256 * 1024;
/** As deep as captures lie in what is asked. */
const deepest = 4;

const made = new WeakMap<object, Map<string, { of: unknown; handle: Handle }>>();

/** The same with what is long as handles, for `postMessage`. Whatever is asked about again has them already. */
export function share(value: unknown, depth = 0): unknown {
  if (!isPlain(value) || depth > deepest) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, each] of Object.entries(value)) {
    const short = isLong(each) ? handleOf(value, key, each) : share(each, depth + 1);
    if (short === each) continue;
    copy ??= { ...value };
    copy[key] = short;
  }
  return copy ?? value;
}

/** What was shared, as it was. Writes into what it is given. */
export function unshare(value: unknown, depth = 0): unknown {
  if (!isPlain(value) || depth > deepest + 1) return value;
  if (isHandle(value)) return read(value);
  for (const [key, each] of Object.entries(value)) value[key] = unshare(each, depth + 1);
  return value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isLong(value: unknown): value is string | Uint8Array {
  if (typeof value === "string") return value.length > long && value.isWellFormed();
  return value instanceof Uint8Array && value.length > long && !(value.buffer instanceof SharedArrayBuffer);
}

const isHandle = (value: Record<string, unknown>): value is Handle =>
  value.shared instanceof Uint8Array && value.shared.buffer instanceof SharedArrayBuffer;

function handleOf(owner: object, key: string, value: string | Uint8Array): Handle {
  const own = made.get(owner) ?? new Map<string, { of: unknown; handle: Handle }>();
  made.set(owner, own);
  const known = own.get(key);
  if (known?.of === value) return known.handle;
  const handle = write(value);
  own.set(key, { of: value, handle });
  return handle;
}

function write(value: string | Uint8Array): Handle {
  const isText = typeof value === "string";
  const shared = new Uint8Array(new SharedArrayBuffer(isText ? Buffer.byteLength(value) : value.length));
  if (isText) new TextEncoder().encodeInto(value, shared);
  else shared.set(value);
  return { shared, isText };
}

function read({ shared, isText }: Handle): string | Uint8Array {
  return isText ? Buffer.from(shared.buffer).toString("utf8") : new Uint8Array(shared);
}
