import type { Deps } from "#checks/deps.ts";
import type { FilteredCapture, KeptCapture, Settings } from "#checks/replay-captures.ts";
import { type ExecutionRow, type Kept, storedPartsOf } from "#storage/executions.ts";
import { openSeries } from "#storage/read-series.ts";

/** An execution and its filtered capture: null if it can't be compared, "quiet" if it need not be. */
type Entry = {
  row: ExecutionRow;
  seen: (FilteredCapture & { before: FilteredCapture | null }) | "quiet" | null;
};

// Size of the batch for one thread: large enough that the transfer costs little, small enough to be stopped soon.
const batchCaptures = 8;
const batchBytes = 4_000_000;
// While a batch is compared, the rules are applied to this many further batches in other threads.
const batchesAhead = 2;

/**
 * Applies rules to the captures of a history in batches, except to those that stay quiet. A capture that follows a
 * quiet one comes with that one as its baseline.
 */
export async function* viewHistory(
  deps: Pick<Deps, "db" | "blobs" | "detector">,
  rows: ExecutionRow[],
  settings: Settings,
  staysQuiet: (row: ExecutionRow) => boolean,
  signal?: AbortSignal,
): AsyncGenerator<Entry[]> {
  const batches = readBatches(deps, rows, staysQuiet);
  const detector = deps.detector.for(rows[0]?.account_id ?? "");
  const pendingBatches: Promise<Entry[]>[] = [];
  const filterBatch = async ({ entries, captures }: Batch): Promise<Entry[]> => {
    const views = captures.length > 0 ? await detector.viewAll({ captures, settings }, signal) : [];
    return entries.map(({ row, seen }) => {
      if (seen === null || seen === "quiet") return { row, seen };
      const before = seen.hasBefore ? (views.shift() as FilteredCapture) : null;
      return { row, seen: { ...(views.shift() as FilteredCapture), before } };
    });
  };
  for (let isOver = false; ; ) {
    while (!isOver && pendingBatches.length <= batchesAhead) {
      const { done, value } = await batches.next();
      isOver = done === true;
      if (done) break;
      const filtered = filterBatch(value);
      // The promise is awaited later.
      filtered.catch(() => undefined);
      pendingBatches.push(filtered);
    }
    const first = pendingBatches.shift();
    if (!first) return;
    yield await first;
  }
}

type Batch = {
  entries: { row: ExecutionRow; seen: { hasBefore: boolean } | "quiet" | null }[];
  captures: KeptCapture[];
};

async function* readBatches(
  deps: Pick<Deps, "db" | "blobs">,
  rows: ExecutionRow[],
  staysQuiet: (row: ExecutionRow) => boolean,
): AsyncGenerator<Batch> {
  const seen = rows.filter(isSeen);
  const read = await openSeries(deps, rows[0]?.account_id ?? "", seen.flatMap(hashesOf));
  let batch: Batch = { entries: [], captures: [] };
  let quiet: ExecutionRow | null = null;
  for (const row of rows) {
    if (staysQuiet(row)) {
      quiet = row;
      batch.entries.push({ row, seen: "quiet" });
    } else if (isSeen(row)) {
      batch.entries.push({ row, seen: { hasBefore: quiet !== null } });
      if (quiet) batch.captures.push(await readCapture(read, quiet));
      batch.captures.push(await readCapture(read, row));
      quiet = null;
    } else batch.entries.push({ row, seen: null });
    if (batch.captures.length >= batchCaptures || measureBytes(batch.captures) >= batchBytes) {
      yield batch;
      batch = { entries: [], captures: [] };
    }
  }
  if (batch.entries.length > 0) yield batch;
}

// Failures after which the capture was stored anyway: other rules may be able to compare it.
const comparableFailures = new Set(["selector", "rules", "status"]);

/** Whether an execution's capture can be compared: it was stored and shows the page as it is. */
export function isSeen(row: ExecutionRow): boolean {
  const isUnsure = row.similarity === null && row.baseline_id !== null && !row.truncated;
  const isComparable = row.failure === null ? !isUnsure : comparableFailures.has(row.failure);
  return storedPartsOf(row) !== null && isComparable;
}

const hashesOf = ({ html, body, facts }: ExecutionRow) => [html, body, facts].filter((hash) => hash !== null);

const measureBytes = (captures: KeptCapture[]) =>
  captures.reduce((sum, { html, facts }) => sum + html.length + facts.length, 0);

async function readCapture(
  read: (hash: Buffer) => Promise<Uint8Array>,
  row: ExecutionRow,
): Promise<KeptCapture> {
  const { html, body, facts } = storedPartsOf(row) as Kept;
  const bytes = await read(facts);
  const isPage = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"kind":"html"');
  return { html: await read(html), body: isPage ? null : await read(body), facts: bytes };
}
