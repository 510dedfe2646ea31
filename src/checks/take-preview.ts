import { setTimeout as sleep } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { Snapshot } from "#contract/capture.ts";
import type { Tasks } from "#queue/tasks.ts";
import { unlessLost } from "#storage/blobs.ts";
import { keepBriefly, readBytes } from "#storage/chains.ts";
import { findPreviewToTake, finishPreview, type PreviewRow } from "#storage/previews.ts";
import type { Deps, ExecuteDeps } from "./deps.ts";
import { openRequest } from "./open-request.ts";

const patienceMs = 20_000;
const askedEveryMs = 250;

/** Captures a page once, within the limits that hold for checks: the host's slots, its pauses, the guard. */
export async function takePreview(deps: ExecuteDeps, { previewId }: Tasks["preview"]): Promise<void> {
  const preview = await findPreviewToTake(deps.db, previewId);
  if (!preview) return;
  const { host, account_id: accountId, wait_for: waitFor, pauseSeconds } = preview;
  const fail = (error: string) => finishPreview(deps.db, previewId, { error });
  if (pauseSeconds > 0) return fail(`${host} asked to be left alone for another ${pauseSeconds} s.`);
  const release = await takeSlot(deps, host, accountId);
  if (!release) return fail(`${host} is busy with other checks. Try again in a moment.`);
  try {
    // Its group's headers and the time are in it since it was asked for.
    const job = {
      ...preview,
      group_id: "",
      group_headers_sealed: null,
      group_timetable: null,
      timetable: null,
    };
    const request = openRequest(deps.secrets, job, new Date());
    const seen = await deps.capture({ ...request, waitFor, previous: null }, undefined, accountId);
    if (!seen.ok) return await fail(seen.failure.message);
    if (seen.unchanged) throw new Error("a preview has nothing to be unchanged from");
    await finishPreview(deps.db, previewId, {
      content: await keepBriefly(deps, accountId, serialize(seen.snapshot)),
    });
  } finally {
    release();
  }
}

export async function giveUpPreview(
  { db }: Pick<Deps, "db">,
  { previewId }: Tasks["preview"],
): Promise<void> {
  await finishPreview(db, previewId, { error: "The preview could not be made on our side. Try it again." });
}

/** What a preview saw; undefined once its hour is over. */
export async function openPreview(
  deps: Pick<Deps, "db" | "blobs">,
  { account_id: accountId, content }: PreviewRow,
): Promise<Snapshot | undefined> {
  if (!content) return undefined;
  const bytes = await readBytes(deps, accountId, content).catch(unlessLost);
  return bytes && (deserialize(bytes) as Snapshot);
}

async function takeSlot({ slots }: Pick<ExecuteDeps, "slots">, host: string, accountId: string) {
  const until = Date.now() + patienceMs;
  for (;;) {
    const release = await slots.take(host, accountId);
    if (release || Date.now() > until) return release;
    await sleep(askedEveryMs);
  }
}
