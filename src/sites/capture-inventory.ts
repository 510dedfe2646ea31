import type { CaptureResult } from "#capture/capture-page.ts";
import { sha256 } from "#capture/plain-http/http-evidence.ts";
import type { CaptureFailure } from "#contract/capture.ts";
import { type InventoryLine, writeInventory } from "#detection/file-formats/inventory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Database } from "#storage/database.ts";
import type { JobRow } from "#storage/jobs.ts";
import { findRunSummary, readPages } from "#storage/sites.ts";

const maxBlocks = 20_000;
const MiB = 1024 * 1024;
/** 100,000 addresses as they usually are take 10 MiB. Comparing takes several times as much memory. */
const maxInventory = 32 * MiB;
const columns = ["address", "status", "why", "moved_to", "title", "script_hosts", "source"] as const;

const tooLarge: CaptureFailure = {
  kind: "too-large",
  message: `The inventory is larger than ${maxInventory / MiB} MiB. Limit the site to some of its paths, or to fewer pages.`,
};

/** The capture of a job that watches a site: the inventory that its last run left. */
export async function captureInventory(db: Database, job: JobRow): Promise<CaptureResult> {
  const run = await findRunSummary(db, job.account_id, job.id);
  if (run?.failure) return { ok: false, failure: run.failure, snapshot: null };
  const parts: string[] = [];
  let [size, status] = [0, 200];
  for await (const rows of readPages(db, job.id, columns)) {
    const lines = rows.flatMap((row): InventoryLine[] => {
      const { address, moved_to: movedTo, title, script_hosts: scriptHosts, why } = row;
      const state = why === "script" || why === "robots" ? why : why === null ? row.status : null;
      return state === null ? [] : [{ address, state, movedTo, title, scriptHosts }];
    });
    const start = rows.find(({ source }) => source === "start");
    if (start?.status && start.status >= 400) status = start.status;
    if (lines.length === 0) continue;
    const part = writeInventory(lines);
    size += part.length;
    if (size > maxInventory) return { ok: false, failure: tooLarge, snapshot: null };
    parts.push(part);
  }
  const text = parts.join("\n");
  const blocks = text
    .split("\n", maxBlocks)
    .map((line) => ({ role: "paragraph" as const, area: "", text: line }));
  const snapshot = {
    ...snapshotOf(text, "text", job.url),
    status,
    contentType: "text/plain; charset=utf-8",
    text: text === "" ? [] : blocks,
    timing: { total: run?.active_ms ?? 0 },
  };
  const evidence = {
    requestSha256: "",
    kind: snapshot.kind,
    validator: null,
    bodySha256: await sha256(snapshot.body),
    needsScript: false,
    checksByHttp: 0,
    finalUrl: job.url,
    hasPassword: false,
  };
  return { ok: true, unchanged: false, snapshot, evidence };
}
