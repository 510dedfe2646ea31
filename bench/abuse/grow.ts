import { isOnlySeenBySchema } from "#server/testing/only-seen-by-schema.ts";
import { type GrowingCall, listGrowingCalls } from "#server/testing/walk-hostile.ts";
import type { WalkedAccount } from "#server/testing/walked-account.ts";
import { startPolling } from "./poll.ts";
import { openProcessorTime } from "./processor-time.ts";
import type { Answer, Caller, startProduct } from "./product.ts";

import { listUploads, type SizedCall } from "./uploads.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;

// Ten times the input takes a linear reader ten times as long and a quadratic one a hundred times. Processor time is
// compared, so that other work on the machine changes little; a few milliseconds of it are the server's own clocks.
// A call's inputs end after some time, and what took long is shown at once.
// A large body has thousands of inputs, most of which its route's schema refuses or drops: they reach nothing behind it.
// So the schema is applied here, where its time is measured, and of these inputs one in 25 is sent. Of a list's entries,
// a field of the same name is grown once, in the first entry in which it gets past the schema. (Several fields in one
// body would be fewer calls too, but one that is refused would hide all others.)
const callSeconds = Number(process.env.CALL_SECONDS ?? 90);
const limits = { ratio: 20, quickMs: 5, healthzMs: 1_000, callSeconds, shownMs: 3_000, oneIn: 25 };

/** Inputs below the limits of most fields, and inputs near the limit of all bodies or URLs. */
function* sizedCalls(product: Product, { token }: Caller, growing: GrowingCall): Generator<SizedCall> {
  const { name, method, urlOf, input, bodyOf } = growing;
  for (const base of [100, bodyOf ? 20_000 : 400])
    yield {
      call: name,
      input,
      base,
      ...(bodyOf && {
        isOnlySeenBySchema: () => isOnlySeenBySchema(name, bodyOf(base), bodyOf(10 * base)),
        field: `${base} ${input.replaceAll(/\[\d+\](?=.*: )/g, "[]")}`,
      }),
      ask: (size) => treatClosedAs413(product.ask(nextAddress(), token, method, urlOf(size), bodyOf?.(size))),
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

type Row = { call: string; cells: string[]; ratio: number; ms: number; isBad: boolean; status: number };

/**
 * Grows the input of every call that takes a body, a file or a pattern, or only of the calls with these names; returns
 * whether any exceeds a limit. A line per call is printed when it is done, and slow inputs at once.
 */
export async function grow(
  product: Product,
  caller: Caller,
  walked: WalkedAccount,
  names: string[],
): Promise<boolean> {
  // The job's own checks aren't part of the measurement.
  await caller.call("PATCH", `/api/jobs/${walked.jobId}/paused`);
  const polling = startPolling(`${product.origin}/healthz`);
  const processorTime = openProcessorTime(product.pid);
  const measure = async (call: () => Promise<Answer>): Promise<Answer> => {
    const taken = processorTime.start();
    const response = await call().catch(describeNoAnswer);
    return { ...response, ms: response.status === noAnswer ? Infinity : taken() };
  };
  const calls = Map.groupBy(
    [
      ...listUploads(caller),
      ...[...listGrowingCalls(walked)].flatMap((growing) => [...sizedCalls(product, caller, growing)]),
    ].filter(({ call }) => names.length === 0 || names.includes(call)),
    ({ call }) => call,
  );
  const all: Row[] = [];
  for (const [call, inputs] of calls) {
    const started = performance.now();
    const rows: Row[] = [];
    // The first request of each call isn't counted: it loads what the call needs.
    for (const { ask, base } of inputs.slice(0, 1)) await measure(() => ask(base));
    const unsent = { dropped: 0, repeated: 0, limited: 0, cut: 0 };
    const fields = new Set<string>();
    let limited = 0;
    for (const [n, sized] of inputs.entries()) {
      if (performance.now() - started > limits.callSeconds * 1_000) unsent.cut++;
      // Calls over a limit of the account are answered slowly: a few of them show that the limit costs nothing.
      else if (limited > limits.oneIn && n % limits.oneIn > 0) unsent.limited++;
      else if (sized.field && fields.has(sized.field)) unsent.repeated++;
      else {
        const isDropped = sized.isOnlySeenBySchema?.() ?? false;
        if (isDropped && n % limits.oneIn > 0) {
          unsent.dropped++;
          continue;
        }
        if (sized.field && !isDropped) fields.add(sized.field);
        const row = await growInput(sized, measure, polling);
        if (row.status === 429) limited++;
        rows.push(row);
      }
    }
    all.push(...rows);
    showCall(call, rows, unsent, performance.now() - started);
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
    status: large.status,
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

type Unsent = Record<"dropped" | "repeated" | "limited" | "cut", number>;

function showCall(call: string, rows: Row[], counts: Unsent, ms: number): void {
  const { dropped, repeated, limited, cut } = counts;
  const [slowest] = rows.toSorted((a, b) => b.ms - a.ms);
  const unsent = [
    dropped > 0 ? `, ${dropped} more that get no further than the schema` : "",
    repeated > 0 ? `, ${repeated} more in other entries of a list` : "",
    limited > 0 ? `, ${limited} more over the account's limit` : "",
    cut > 0 ? `, CUT: ${cut} not sent` : "",
  ].join("");
  console.log(
    `${call.padEnd(22)} ${rows.length} inputs in ${(ms / 1_000).toFixed(0)} s${unsent}; most processor time ${slowest?.ms.toFixed(0)} ms (${slowest?.cells[1]?.trim()})`,
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
