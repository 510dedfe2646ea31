import { type ChannelId, channels } from "#contract/channels.ts";
import type { Alert } from "#delivery/alert.ts";
import type { SendResult } from "#delivery/retry.ts";
import type { Account } from "#storage/accounts.ts";
import { findChannel, markWorking } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";
import { sendTo } from "./send-to.ts";

/** Sends a test alert now and answers how that went. */
export async function sendTest(deps: Deps, account: Account, id: ChannelId): Promise<SendResult> {
  if (channels[id].ownAddress && !(await findChannel(deps.db, account.id, id))) {
    return { ok: false, failure: { message: "This channel is not set up.", transient: false } };
  }
  const result = await sendTo(deps, account, id, crypto.randomUUID(), async () => testAlert(deps.baseUrl));
  if (result.ok) await markWorking(deps.db, account.id, id);
  return result;
}

export const testAlert = (baseUrl: string): Alert => ({
  kind: "test",
  severity: "info",
  title: "Test alert",
  message: "This is what an alert from Watchglass looks like here.",
  url: null,
  link: `${baseUrl}/dashboard`,
  at: new Date(),
  jobId: null,
  executionId: null,
  status: null,
  similarity: null,
  lines: [
    { sign: "-", text: "A line that went" },
    { sign: "+", text: "A line that came" },
    {
      sign: "~",
      words: [
        { op: "same", text: "A line with a word that is " },
        { op: "removed", text: "old" },
        { op: "added", text: "new" },
      ],
    },
  ],
  moreLines: 0,
  ignored: 0,
  findings: [],
  picture: null,
  note: null,
  question: null,
});
