import { z } from "zod";
import { channelIds, type GivenChannelId, givenChannelIds, ownChannelIds } from "#channels/channel-list.ts";
import { Outcome } from "./account.ts";

/** The delivery of one event through one channel. */
export const Delivery = z.object({
  id: z.uuid(),
  channel: z.enum(channelIds),
  state: z
    .enum(["waiting", "held", "sent", "failed", "joined"])
    .describe(
      "held: waits to be sent with other alerts in a digest; joined: covered by the alert of another page that changed in the same way, or by one message about all of them",
    ),
  attempts: z.int(),
  error: z.string().nullable().describe("Why the last attempt failed, as a sentence"),
  insteadOf: z.enum(channelIds).nullable().describe("The failed channel that this delivery replaces"),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

const skipReasons = ["plan", "closed", "off", "missing", "gone", "failing", "unconfirmed", "job"] as const;
/** A channel that an event was not sent to, and why. */
export const PassedOver = z.object({ channel: z.enum(channelIds), why: z.enum(skipReasons) });
export type PassedOver = z.infer<typeof PassedOver>;

const NamedHeader = z.object({ name: z.string(), value: z.string() });
const result = {
  request: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.array(NamedHeader).describe("Values that the user set are masked"),
      body: z.string(),
    })
    .nullable(),
  response: z
    .object({
      status: z.int(),
      headers: z.array(NamedHeader),
      body: z.string().describe("The first 64 KiB of the body, as text"),
      truncated: z.boolean(),
    })
    .nullable(),
  durationMs: z.int().nullable(),
  error: z.string().nullable(),
};

/** One run of a trigger for one execution, with its last attempt. */
export const TriggerRun = z.object({
  id: z.uuid(),
  eventId: z.uuid().describe("The same for all attempts of a run"),
  byHand: z.boolean(),
  state: z.enum(["waiting", "sent", "failed"]).describe("failed: no further attempt is made"),
  attempts: z.int(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  ...result,
});
export type TriggerRun = z.infer<typeof TriggerRun>;

export const TriggerTestReply = z.object(result);

const Linked = z.object({
  label: z.string(),
  since: z.iso.datetime(),
  failure: z
    .string()
    .nullable()
    .describe("Why messages can't be sent, as a sentence; null while the channel works"),
});

const GivenChannel = z.object({ included: z.boolean(), webhook: Linked.nullable() });
const givenChannels = Object.fromEntries(givenChannelIds.map((id) => [id, GivenChannel]));

export const Channels = z.object({
  telegram: z.object({
    included: z.boolean().describe("Whether the plan includes Telegram"),
    available: z.boolean().describe("Whether this installation has a Telegram bot"),
    bot: z.string().nullable().describe("The bot's username, for opening a chat with it"),
    chat: Linked.nullable(),
  }),
  // The keys are `givenChannelIds`; the return type of fromEntries loses them.
  ...(givenChannels as Record<GivenChannelId, typeof GivenChannel>),
  push: GivenChannel,
  email: z.object({ address: z.string(), failure: z.string().nullable() }),
  signing: z.object({ since: z.iso.datetime().nullable() }),
});
export type Channels = z.infer<typeof Channels>;

export const ChannelParams = z.object({ channel: z.enum(channelIds) });
export const OwnChannelParams = z.object({ channel: z.enum(ownChannelIds) });
export const GivenChannelParams = z.object({ channel: z.enum(givenChannelIds) });
export const webhookFormats = ["json", "form", "text"] as const;
export const ChannelAddress = z.object({
  url: z
    .string("The address is missing.")
    .trim()
    .min(1, "The address is missing.")
    .max(1000, "The address is too long."),
  token: z
    .string()
    .trim()
    .max(1000, "The token is too long.")
    .optional()
    .describe("Access token, for ntfy, Matrix and webhooks"),
  room: z
    .string()
    .trim()
    .max(260, "The room's id is too long.")
    .optional()
    .describe("Id of the room, for Matrix"),
  format: z.enum(webhookFormats).optional().describe("Format of the body, for webhooks"),
  template: z
    .string()
    .max(16 * 1024, "The template is larger than 16 KiB.")
    .optional()
    .describe(
      "Template of the body, for webhooks, with the placeholders of a message template; if empty, the whole alert is sent",
    ),
});
export const BotTokenReply = Outcome.extend({ token: z.string() });
export const SigningSecretReply = Outcome.extend({ secret: z.string().describe("Shown only once") });
