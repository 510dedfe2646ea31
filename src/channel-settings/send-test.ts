import type { Deps } from "#alerts/deps.ts";
import { sendToChannel } from "#alerts/send-to-channel.ts";
import { type ChannelId, channels } from "#channels/channel-list.ts";
import type { SendResult } from "#channels/retry.ts";
import type { Alert } from "#message-templates/alert.ts";
import type { Account } from "#storage/accounts.ts";
import { findChannel, markWorking } from "#storage/channels.ts";

/** Sends a test alert now and returns the result. */
export async function sendTest(deps: Deps, account: Account, id: ChannelId): Promise<SendResult> {
  if (channels[id].ownAddress && !(await findChannel(deps.db, account.id, id))) {
    return { ok: false, failure: { message: "This channel isn’t set up.", transient: false } };
  }
  // Other messages that wait for their turn must not keep a test from being sent.
  const unpaced = { ...deps, channels: deps.testChannels };
  const result = await sendToChannel(unpaced, account, id, { messageId: crypto.randomUUID() }, async () =>
    testAlert(deps.baseUrl),
  );
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
  condition: null,
  lines: [
    { sign: "-", text: "A removed line" },
    { sign: "+", text: "An added line" },
    {
      sign: "~",
      words: [
        { op: "same", text: "A line with a word that was " },
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
  values: { base: baseUrl },
});
