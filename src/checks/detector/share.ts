// To hand a large page to a thread is to copy it, and whoever asks something of the server waits meanwhile. What is long
// is copied once, to memory that both see, and read where it is used.

type Shared = Uint8Array<SharedArrayBuffer>;
type Handle = { text: Shared };

const long = 256 * 1024;
/** As deep as captures lie in what is asked. */
const deepest = 4;

const madeOfBytes = new WeakMap<Uint8Array, Shared>();
const madeOfText = new WeakMap<object, Map<string, { of: string; handle: Handle }>>();

/** The same with what is long in shared memory, for `postMessage`. Whatever is asked about again is there already. */
export function share(value: unknown, depth = 0): unknown {
  if (!isPlain(value) || depth > deepest) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, each] of Object.entries(value)) {
    const short = isLongText(each)
      ? handleOf(value, key, each)
      : isLongBytes(each)
        ? sharedOf(each)
        : share(each, depth + 1);
    if (short === each) continue;
    copy ??= { ...value };
    copy[key] = short;
  }
  return copy ?? value;
}

/** How many letters and bytes there are in what is long; pixels, which are shared already, are none. */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length > long ? value.length : 0;
  if (isLongBytes(value)) return value.length;
  if (!isPlain(value) || depth > deepest) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each, depth + 1), 0);
}

/** What was shared, as it was. Writes into what it is given. */
export function unshare(value: unknown, depth = 0): unknown {
  if (!isPlain(value) || depth > deepest + 1) return value;
  if (isHandle(value)) return Buffer.from(value.text.buffer).toString("utf8");
  for (const [key, each] of Object.entries(value)) value[key] = unshare(each, depth + 1);
  return value;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const isLongText = (value: unknown): value is string =>
  typeof value === "string" && value.length > long && value.isWellFormed();

const isLongBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array && value.length > long && !(value.buffer instanceof SharedArrayBuffer);

const isHandle = (value: Record<string, unknown>): value is Handle =>
  value.text instanceof Uint8Array && value.text.buffer instanceof SharedArrayBuffer;

const sharedBytes = (length: number): Shared => new Uint8Array(new SharedArrayBuffer(length));

function sharedOf(bytes: Uint8Array): Shared {
  let shared = madeOfBytes.get(bytes);
  if (!shared) {
    shared = sharedBytes(bytes.length);
    shared.set(bytes);
    madeOfBytes.set(bytes, shared);
  }
  return shared;
}

function handleOf(owner: object, key: string, value: string): Handle {
  const own = madeOfText.get(owner) ?? new Map<string, { of: string; handle: Handle }>();
  madeOfText.set(owner, own);
  const known = own.get(key);
  if (known?.of === value) return known.handle;
  const text = sharedBytes(Buffer.byteLength(value));
  new TextEncoder().encodeInto(value, text);
  const handle = { text };
  own.set(key, { of: value, handle });
  return handle;
}
