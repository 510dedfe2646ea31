import { type GrowingCall, type HostileWalkTarget, listGrowingCalls } from "#server/testing/walk-hostile.ts";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import { startPolling } from "./poll.ts";
import { openProcessorTime } from "./processor-time.ts";
import type { Answer, Caller, startProduct } from "./product.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;
/** A call whose input can have any size, and the base size that is grown tenfold. */
type SizedCall = { call: string; input: string; base: number; ask: (size: number) => Promise<Answer> };

// Ten times the input takes a linear reader ten times as long and a quadratic one a hundred times. Processor time is
// compared, so that other work on the machine changes little; a few milliseconds of it are the server's own clocks.
// A call's inputs end after some time, and what took long is shown at once.
const limits = { ratio: 20, quickMs: 5, healthzMs: 1_000, callSeconds: 90, shownMs: 3_000 };

const repeated = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length));
const many = (size: number, each: number, make: (n: number) => string) =>
  Array.from({ length: Math.ceil(size / each) }, (_, n) => make(n)).join("");
const address = "http://127.0.0.1:8080/";

/** Files made to take long to read, by size in bytes; ten times `base` stays within the limits. */
const files: Record<string, { base: number; make: (size: number) => string | Promise<Buffer> }> = {
  "addresses with remarks": { base: 60_000, make: (size) => `${address} ${repeated(" #", size)}\u2028` },
  "one address a line": { base: 2_500, make: (size) => many(size, 25, (n) => `${address}${n}\n`) },
  "OPML, nested": { base: 35_000, make: (size) => `<opml>${repeated('<outline text="a">', size)}</opml>` },
  "OPML, side by side": {
    base: 5_000,
    make: (size) => `<opml>${many(size, 50, (n) => `<outline text="a" htmlUrl="${address}${n}"/>`)}</opml>`,
  },
  "OPML, closed without end": {
    base: 35_000,
    make: (size) => `<opml>${repeated("<outline><b>", size / 2)}${repeated("</x>", size / 2)}</opml>`,
  },
  "CSV, many columns": {
    base: 7_000,
    make: (size) => `url,${repeated("a,", size / 2)}\n${repeated(`${address}\n`, size / 2)}`,
  },
  "CSV, many rows": {
    base: 3_000,
    make: (size) => `url,name\n${many(size, 30, (n) => `${address}${n},a\n`)}`,
  },
  "CSV, quotation marks": { base: 10_000, make: (size) => `url,b\n${repeated('"",', size)}` },
  "archive, empty jobs": {
    base: 44_000,
    make: (size) => `{"watchglass":1,"jobs":[${repeated("{},", size)}{}]}`,
  },
  "archive, empty groups": {
    base: 44_000,
    make: (size) => `{"watchglass":1,"jobs":[],"groups":[${repeated("{},", size)}{}]}`,
  },
  "JSON, lists in lists": {
    base: 100_000,
    make: (size) => `{"watchglass":${repeated("[", size / 2)}${repeated("]", size / 2)}}`,
  },
  "changedetection.io, long tags": {
    base: 50_000,
    make: (size) =>
      JSON.stringify({
        watching: Object.fromEntries(
          Array.from({ length: 100 }, (_, n) => [n, { url: address, tags: Array(size / 2_000).fill("t") }]),
        ),
        settings: { application: { tags: { t: { title: "x".repeat(size / 2) } } } },
      }),
  },
  "Distill, selections": {
    base: 50_000,
    make: (size) => {
      const includes = Array.from({ length: size / 25 }, () => ({ type: "css", expr: "a" }));
      return JSON.stringify({
        data: [{ uri: address, config: { selections: [{ frames: [{ includes }] }] } }],
      });
    },
  },
  "YAML, keys": {
    base: 14_000,
    make: (size) => `url: ${address}\n${many(size, 9, (n) => `k${n}: 1\n`)}`,
  },
  "YAML, keys on a line": {
    base: 14_000,
    make: (size) => `url: ${address}\na: {${many(size, 9, (n) => `k${n}: 1,`)}}`,
  },
  "YAML, anchors": {
    base: 14_000,
    make: (size) => `url: ${address}\na: [${many(size, 14, (n) => `&a${n} 1,*a${n},`)}]`,
  },
  "YAML, nested": { base: 20_000, make: (size) => `url: ${address}\na: ${repeated("[", size)}` },
  "YAML, wrong": { base: 20_000, make: (size) => `url: ${address}\na: ${repeated("}] ", size)}` },
  "YAML, quoted": { base: 20_000, make: (size) => `url: ${address}\na: "${repeated("\\n\n ", size)}"` },
  "YAML, many jobs": {
    base: 4_000,
    make: (size) => many(size, 40, (n) => `url: ${address}${n}\nname: n${n}\n---\n`),
  },
  "ZIP, many names": {
    base: 1_000,
    make: (size) => pack(Array.from({ length: size }, (_, n) => [`n/${n}.txt`, "x"])),
  },
};

async function pack(entries: [name: string, text: string][]): Promise<Buffer> {
  async function* all(): AsyncGenerator<ZipEntry> {
    for (const [name, text] of entries)
      yield { name, bytes: Buffer.from(text), modified: new Date(0), compress: false };
  }
  const parts: Uint8Array[] = [];
  for await (const part of zip(all())) parts.push(part);
  return Buffer.concat(parts);
}

function form(name: string, type: string, content: Uint8Array): Buffer {
  const head = `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--x--\r\n")]);
}

function* uploads(caller: Caller): Generator<SizedCall> {
  for (const [input, { base, make }] of Object.entries(files))
    yield {
      call: "importJobs",
      input,
      base,
      ask: async (size) =>
        caller.call(
          "POST",
          "/api/import?dryRun=true",
          form("file", "text/plain", Buffer.from(await make(size))),
        ),
    };
  yield {
    call: "putPhoto",
    input: "no picture",
    base: 100_000,
    ask: (size) => caller.call("PUT", "/api/me/photo", form("photo", "image/png", Buffer.alloc(size, 137))),
  };
}

/** Bodies below the limits of most fields, and bodies near the limit of all fields. */
function* bodies(product: Product, { token }: Caller, growing: GrowingCall): Generator<SizedCall> {
  const { name, method, url, input, bodyOf } = growing;
  for (const base of [100, 20_000])
    yield {
      call: name,
      input,
      base,
      ask: (size) => treatClosedAs413(product.ask(nextAddress(), token, method, url, bodyOf(size))),
    };
}

/** A body that is too large may be refused by closing the connection while it is being sent. */
async function treatClosedAs413(response: Promise<Answer>): Promise<Answer> {
  const started = performance.now();
  return response.catch((error: { code?: unknown }) => {
    if (!["EPIPE", "ECONNRESET", "UND_ERR_SOCKET"].includes(String(error.code))) throw error;
    return { status: 413, ms: performance.now() - started, bytes: 0, body: {} };
  });
}

const noAnswer = 0;

/** A call without an answer is a finding, and doesn't end the walk. */
function describeNoAnswer(error: unknown): Answer {
  console.log(`No answer: ${String((error as Error).message)}`);
  return { status: noAnswer, ms: Infinity, bytes: 0, body: {} };
}

let callCount = 0;
/** A new client address for each call: limits per address aren't part of the measurement. */
const nextAddress = () => `10.${(++callCount >> 16) & 255}.${(callCount >> 8) & 255}.${callCount & 255}`;

type Row = { call: string; cells: string[]; ratio: number; ms: number; isBad: boolean };

/**
 * Grows the input of every call that takes a body, a file or a pattern, or only of the calls with these names; returns
 * whether any exceeds a limit. A line per call is printed when it is done, and slow inputs at once.
 */
export async function grow(
  product: Product,
  caller: Caller,
  walked: HostileWalkTarget,
  names: string[],
): Promise<boolean> {
  // The job's own checks aren't part of the measurement.
  await caller.call("POST", `/api/jobs/${walked.jobId}/status/PAUSED`);
  const polling = startPolling(`${product.origin}/healthz`);
  const processorTime = openProcessorTime(product.pid);
  const measure = async (call: () => Promise<Answer>): Promise<Answer> => {
    const taken = processorTime.start();
    const response = await call().catch(describeNoAnswer);
    return { ...response, ms: response.status === noAnswer ? Infinity : taken() };
  };
  const calls = Map.groupBy(
    [
      ...uploads(caller),
      ...[...listGrowingCalls(walked)].flatMap((growing) => [...bodies(product, caller, growing)]),
    ].filter(({ call }) => names.length === 0 || names.includes(call)),
    ({ call }) => call,
  );
  const all: Row[] = [];
  for (const [call, inputs] of calls) {
    const started = performance.now();
    const rows: Row[] = [];
    // The first request of each call isn't counted: it loads what the call needs.
    for (const { ask, base } of inputs.slice(0, 1)) await measure(() => ask(base));
    for (const sized of inputs) {
      if (performance.now() - started > limits.callSeconds * 1_000) break;
      rows.push(await growInput(sized, measure, polling));
    }
    all.push(...rows);
    showCall(call, rows, inputs.length, performance.now() - started);
  }
  await polling.close();
  show(all);
  return all.some(({ isBad }) => isBad);
}

/** Measures an input at ten times its base, and at its base only if that took long enough to tell anything. */
async function growInput(
  { call, input, base, ask }: SizedCall,
  measure: (call: () => Promise<Answer>) => Promise<Answer>,
  polling: ReturnType<typeof startPolling>,
): Promise<Row> {
  const started = performance.now();
  await polling.slowest();
  let large = await measure(() => ask(10 * base));
  let healthz = await polling.slowest();
  let small: Answer | undefined;
  const ratioOf = () => large.ms / Math.max(small?.ms ?? 0, limits.quickMs);
  // A single time may contain the server's other work: try again and take the quicker one.
  for (let n = 0; n < 3 && (ratioOf() > limits.ratio || healthz > limits.healthzMs); n++) {
    const smaller = await measure(() => ask(base));
    small = small ? quicker(small, smaller) : smaller;
    if (ratioOf() <= limits.ratio && healthz <= limits.healthzMs) break;
    await polling.slowest();
    large = quicker(large, await measure(() => ask(10 * base)));
    healthz = Math.min(healthz, await polling.slowest());
  }
  const ratio = ratioOf();
  const isBad =
    ratio > limits.ratio ||
    healthz > limits.healthzMs ||
    [small, large].some((answer) => answer?.status === 500 || answer?.status === noAnswer);
  const row = {
    call,
    ratio,
    ms: large.ms,
    isBad,
    cells: [
      call.padEnd(22),
      input.slice(0, 40).padEnd(40),
      `${base} → ${10 * base}`.padStart(20),
      `${small ? small.ms.toFixed(0) : "?"} → ${large.ms.toFixed(0)} ms`.padStart(18),
      `${ratio.toFixed(1)}×`.padStart(7),
      `${large.status}`.padStart(4),
      `${healthz.toFixed(0)} ms`.padStart(8),
      isBad ? " TOO SLOW" : " ok",
    ],
  };
  const passedMs = performance.now() - started;
  if (isBad || passedMs > limits.shownMs)
    console.log(`${row.cells.join(" ")}, ${(passedMs / 1_000).toFixed(1)} s passed`);
  return row;
}

function showCall(call: string, rows: Row[], inputCount: number, ms: number): void {
  const [slowest] = rows.toSorted((a, b) => b.ms - a.ms);
  const cut = rows.length < inputCount ? `, CUT: ${inputCount - rows.length} inputs were not sent` : "";
  console.log(
    `${call.padEnd(22)} ${rows.length} inputs in ${(ms / 1_000).toFixed(0)} s${cut}; most processor time ${slowest?.ms.toFixed(0)} ms (${slowest?.cells[1]?.trim()})`,
  );
}

/** Prints every upload, every input that is too slow, and the others whose time grows most. */
function show(rows: Row[]): void {
  const listed = rows.filter(({ call, isBad }) => isBad || call === "importJobs" || call === "putPhoto");
  const others = rows
    .filter((row) => !listed.includes(row))
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, 20);
  console.log(
    `grow: ${rows.length} inputs of ${new Set(rows.map(({ call }) => call)).size} calls, each grown tenfold; processor time (“?” where the large one was too quick to compare), ratio or what it is at most, status, slowest /healthz meanwhile`,
  );
  for (const { cells } of [...listed, ...others]) console.log(`  ${cells.join(" ")}`);
}

const quicker = (one: Answer, other: Answer) => (other.ms < one.ms ? other : one);
