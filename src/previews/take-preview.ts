import { setTimeout as sleep } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { Deps, ExecuteDeps } from "#checks/deps.ts";
import type { Snapshot } from "#contract/capture.ts";
import { openRequest } from "#page-requests/open-request.ts";
import { openProxies } from "#proxies/open-proxies.ts";
import { recordProxyUses } from "#proxies/record-proxy-uses.ts";
import type { Tasks } from "#queue/tasks.ts";
import { unlessLost } from "#storage/blobs.ts";
import { readBytes, storeBriefly } from "#storage/contents.ts";
import { findPreviewToTake, finishPreview, type PreviewRow } from "#storage/previews.ts";

const slotTimeoutMs = 20_000;
const slotRetryMs = 250;

/** Captures a page once, within the same limits as a check: host slots, host pauses and the network guard. */
export async function takePreview(deps: ExecuteDeps, { previewId }: Tasks["preview"]): Promise<void> {
  const preview = await findPreviewToTake(deps.db, previewId);
  if (!preview) return;
  const { host, account_id: accountId, wait_for: waitFor, settings, pauseSeconds } = preview;
  const fail = (error: string) => finishPreview(deps.db, previewId, { error });
  if (pauseSeconds > 0) return fail(`${host} asked us to wait another ${pauseSeconds} s.`);
  const release = await takeSlot(deps, host, accountId);
  if (!release) return fail(`${host} is busy with other checks. Try again in a moment.`);
  try {
    // The group's headers and the dates were filled in when the preview was requested.
    const job = {
      ...preview,
      group_id: "",
      group_headers_sealed: null,
      group_timetable: null,
      timetable: null,
    };
    const request = openRequest(deps.secrets, job, new Date());
    const browser = settings.browser ?? null;
    const proxies = await openProxies(deps, accountId, settings.proxies ?? null);
    const wanted = { ...request, waitFor, browser, proxies, previous: null };
    const result = await deps.capture(wanted, undefined, accountId);
    await recordProxyUses(deps, accountId, result.proxyUses);
    if (!result.ok) return await fail(result.failure.message);
    if (result.unchanged) throw new Error("a preview has nothing to be unchanged from");
    await finishPreview(deps.db, previewId, {
      content: await storeBriefly(deps, accountId, serialize(result.snapshot)),
    });
  } finally {
    release();
  }
}

export async function failPreview({ db }: Pick<Deps, "db">, { previewId }: Tasks["preview"]): Promise<void> {
  await finishPreview(db, previewId, { error: "The preview failed on our side. Try again." });
}

/** Reads a preview's capture; undefined once its hour is over. */
export async function openPreview(
  deps: Pick<Deps, "db" | "blobs">,
  { account_id: accountId, content }: PreviewRow,
): Promise<Snapshot | undefined> {
  if (!content) return undefined;
  const bytes = await readBytes(deps, accountId, content).catch(unlessLost);
  return bytes && (deserialize(bytes) as Snapshot);
}

async function takeSlot({ slots }: Pick<ExecuteDeps, "slots">, host: string, accountId: string) {
  const deadline = Date.now() + slotTimeoutMs;
  for (;;) {
    const release = await slots.take(host, accountId);
    if (release || Date.now() > deadline) return release;
    await sleep(slotRetryMs);
  }
}
