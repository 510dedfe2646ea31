import type { Deps } from "#checks/deps.ts";
import type { KeptCapture, SeenCapture, Settings } from "#checks/replay-captures.ts";
import { type ExecutionRow, type Kept, keptOf } from "#storage/executions.ts";
import { openSeries } from "#storage/open-series.ts";

/** An execution and what is seen of it: nothing that could be compared, or nothing that need be. */
type Entry = { row: ExecutionRow; seen: (SeenCapture & { before: SeenCapture | null }) | "quiet" | null };

// As much as a thread is given at once: enough that handing over costs little, little enough to be ended soon.
const batchCaptures = 8;
const batchBytes = 4_000_000;
// While some are compared, the next are shown through the rules in other threads.
const ahead = 2;

/**
 * Shows a history's captures through rules, some at a time, but for those that stay quiet; one that follows such a one comes
 * with it, to be compared with.
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
  const coming: Promise<Entry[]>[] = [];
  const show = async ({ entries, captures }: Batch): Promise<Entry[]> => {
    const views = captures.length > 0 ? await detector.viewAll({ captures, settings }, signal) : [];
    return entries.map(({ row, seen }) => {
      if (seen === null || seen === "quiet") return { row, seen };
      const before = seen.hasBefore ? (views.shift() as SeenCapture) : null;
      return { row, seen: { ...(views.shift() as SeenCapture), before } };
    });
  };
  for (let isOver = false; ; ) {
    while (!isOver && coming.length <= ahead) {
      const { done, value } = await batches.next();
      isOver = done === true;
      if (done) break;
      const shown = show(value);
      // It is waited for later.
      shown.catch(() => undefined);
      coming.push(shown);
    }
    const first = coming.shift();
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
    if (batch.captures.length >= batchCaptures || weigh(batch.captures) >= batchBytes) {
      yield batch;
      batch = { entries: [], captures: [] };
    }
  }
  if (batch.entries.length > 0) yield batch;
}

// The capture was kept although its check failed: other rules may make something of it.
const comparableFailures = new Set(["selector", "rules", "status"]);

/** Whether what its check captured can be compared: it was kept, and was the page as it is. */
export function isSeen(row: ExecutionRow): boolean {
  const isUnsure = row.similarity === null && row.baseline_id !== null && !row.truncated;
  const isComparable = row.failure === null ? !isUnsure : comparableFailures.has(row.failure);
  return keptOf(row) !== null && isComparable;
}

const hashesOf = ({ html, body, facts }: ExecutionRow) => [html, body, facts].filter((hash) => hash !== null);

const weigh = (captures: KeptCapture[]) =>
  captures.reduce((sum, { html, facts }) => sum + html.length + facts.length, 0);

async function readCapture(
  read: (hash: Buffer) => Promise<Uint8Array>,
  row: ExecutionRow,
): Promise<KeptCapture> {
  const { html, body, facts } = keptOf(row) as Kept;
  const said = await read(facts);
  const isPage = Buffer.from(said.buffer, said.byteOffset, said.length).includes('"kind":"html"');
  return { html: await read(html), body: isPage ? null : await read(body), facts: said };
}
