import { setTimeout as sleep } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import type { CaptureRequest, TakenStep } from "#capture/capture-page.ts";
import type { Deps, ExecuteDeps } from "#checks/deps.ts";
import type { Snapshot } from "#contract/capture.ts";
import { isIdentity } from "#contract/identity.ts";
import { captureOnceAs, tryIdentity } from "#identities/try-identity.ts";
import { openPageSteps } from "#page-requests/open-page-steps.ts";
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
    if (preview.identity_sealed) return await takeTrial(deps, preview);
    // The group's headers and steps and the dates were filled in when the preview was requested.
    const job = {
      ...preview,
      group_id: "",
      group_headers_sealed: null,
      group_step_secrets_sealed: null,
      handed: {},
      group_timetable: null,
      timetable: null,
    };
    const request = openRequest(deps.secrets, job, new Date());
    const browser = settings.browser ?? null;
    const proxies = await openProxies(deps, accountId, settings.proxies ?? null);
    const pageSteps = openPageSteps(deps, job);
    const wanted = { ...request, waitFor, pageSteps, browser, proxies, previous: null };
    const capture = (one: CaptureRequest) => deps.capture(one, undefined, accountId);
    const { identity } = settings;
    const result = isIdentity(identity)
      ? await captureOnceAs({ ...deps, capture }, accountId, identity, wanted)
      : await capture(wanted);
    await recordProxyUses(deps, accountId, result.proxyUses);
    const steps = result.steps ? await storeBriefly(deps, accountId, serialize(result.steps)) : null;
    if (!result.ok) return await finishPreview(deps.db, previewId, { error: result.failure.message, steps });
    if (result.unchanged) throw new Error("a preview has nothing to be unchanged from");
    await finishPreview(deps.db, previewId, {
      content: await storeBriefly(deps, accountId, serialize(result.snapshot)),
      steps,
    });
  } finally {
    release();
  }
}

async function takeTrial(deps: ExecuteDeps, preview: PreviewRow): Promise<void> {
  const { id, account_id: accountId } = preview;
  const tried = await tryIdentity(
    { ...deps, capture: (request) => deps.capture(request, undefined, accountId) },
    preview,
  );
  const steps = await storeBriefly(deps, accountId, serialize(tried.steps));
  if ("error" in tried) return finishPreview(deps.db, id, { error: tried.error, steps });
  const content = await storeBriefly(deps, accountId, serialize(tried.snapshot));
  await finishPreview(deps.db, id, { content, steps, proofs: JSON.stringify(tried.proofs) });
}

export async function failPreview({ db }: Pick<Deps, "db">, { previewId }: Tasks["preview"]): Promise<void> {
  await finishPreview(db, previewId, { error: "The preview failed on our side. Try again." });
}

/** Reads what a preview's steps did; empty once its hour is over. */
export async function openPreviewSteps(
  deps: Pick<Deps, "db" | "blobs">,
  { account_id: accountId, steps }: PreviewRow,
): Promise<TakenStep[]> {
  const bytes = steps && (await readBytes(deps, accountId, steps).catch(unlessLost));
  return bytes ? (deserialize(bytes) as TakenStep[]) : [];
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
