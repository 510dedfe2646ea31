import { failureSentences } from "#network/failure.ts";
import type { Tasks } from "#queue/tasks.ts";
import type { Deps } from "./daily-seal.ts";
import { findAnchorWebhook, findDailySeal, noteSent } from "./seal-rows.ts";
import { openSigningKey } from "./signing-key.ts";

export const webhookContext = (accountId: string) => `anchor webhook ${accountId}`;

/** Sends a daily fingerprint to a place that the installation can't change later; throws so that it is retried. */
export async function sendDailySeal(deps: Deps, { accountId, day, target }: Tasks["anchor"]): Promise<void> {
  const found = await findDailySeal(deps.db, accountId, day);
  if (!found || found.sent[target]) return;
  const { fingerprint, pem } = await openSigningKey(deps);
  const content = JSON.stringify(
    {
      watchglass: "daily fingerprint 1",
      day,
      fingerprint: found.hash.toString("hex"),
      statement: found.statement,
      signature: found.signature?.toString("base64") ?? null,
      key: fingerprint,
      publicKey: pem,
    },
    null,
    2,
  );
  const problem =
    target === "webhook"
      ? await sendToWebhook(deps, accountId, content)
      : await writeToBucket(deps, `daily-fingerprints/${accountId}/${day}.json`, content);
  // The webhook or the bucket was removed after the task was queued.
  if (problem === undefined) return;
  await noteSent(deps.db, { accountId, day, target }, problem);
  if (problem) throw new Error(problem);
}

/** Returns why it could not be sent; undefined if there is nowhere to send it. */
async function sendToWebhook(
  deps: Deps,
  accountId: string,
  content: string,
): Promise<string | null | undefined> {
  const sealed = await findAnchorWebhook(deps.db, accountId);
  if (!sealed) return undefined;
  const result = await deps.http.fetch({
    url: deps.secrets.open(sealed, webhookContext(accountId)),
    purpose: "trigger",
    method: "POST",
    headers: [["content-type", "application/json"]],
    body: Buffer.from(content),
  });
  if (!result.ok) return failureSentences[result.failure.kind];
  const { status } = result.response;
  return status >= 200 && status < 300 ? null : `The webhook answered with status ${status}.`;
}

async function writeToBucket(
  { bucket }: Deps,
  name: string,
  content: string,
): Promise<string | null | undefined> {
  if (!bucket) return undefined;
  return bucket.write(name, content).then(
    () => null,
    (error: Error) => `The bucket ${bucket.name} didn’t accept it: ${error.message}.`,
  );
}
