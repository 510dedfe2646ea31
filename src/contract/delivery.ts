import { z } from "zod";
import { Outcome } from "./account.ts";
import { channelIds, type GivenChannelId, givenChannelIds, ownChannelIds } from "./channels.ts";

/** How one event went out by one channel. */
export const Delivery = z.object({
  id: z.uuid(),
  channel: z.enum(channelIds),
  state: z.enum(["waiting", "held", "sent", "failed"]).describe("held = waits for the digest"),
  attempts: z.int(),
  error: z.string().nullable().describe("Why the last attempt failed, in words"),
  insteadOf: z.enum(channelIds).nullable().describe("The failed channel this one stands in for"),
  createdAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

const whyPassedOver = ["plan", "closed", "off", "missing", "gone", "failing", "unconfirmed", "job"] as const;
/** A channel by which an event was not told, and why. */
export const PassedOver = z.object({ channel: z.enum(channelIds), why: z.enum(whyPassedOver) });
export type PassedOver = z.infer<typeof PassedOver>;

const NamedHeader = z.object({ name: z.string(), value: z.string() });
const result = {
  request: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.array(NamedHeader).describe("The user's values are masked"),
      body: z.string(),
    })
    .nullable(),
  response: z
    .object({
      status: z.int(),
      headers: z.array(NamedHeader),
      body: z.string().describe("The first 64 KiB as text"),
      truncated: z.boolean(),
    })
    .nullable(),
  durationMs: z.int().nullable(),
  error: z.string().nullable(),
};

/** One trigger fired for one execution, with its last attempt. */
export const TriggerRun = z.object({
  id: z.uuid(),
  eventId: z.uuid().describe("The same over all attempts"),
  byHand: z.boolean(),
  state: z.enum(["waiting", "sent", "failed"]).describe("failed = given up"),
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
  failure: z.string().nullable().describe("Why it is not used any more, in words"),
});

const Given = z.object({ included: z.boolean(), webhook: Linked.nullable() });
const given = Object.fromEntries(givenChannelIds.map((id) => [id, Given]));

export const Channels = z.object({
  telegram: z.object({
    included: z.boolean().describe("Part of the plan"),
    available: z.boolean().describe("The installation has a bot"),
    bot: z.string().nullable().describe("The bot's name, to open a chat with it"),
    chat: Linked.nullable(),
  }),
  // Its keys are the list's, which the type of fromEntries forgets.
  ...(given as Record<GivenChannelId, typeof Given>),
  push: Given,
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
  token: z.string().trim().max(1000, "The token is too long.").optional().describe("ntfy, Matrix, webhook"),
  room: z.string().trim().max(260, "The room's id is too long.").optional().describe("Matrix"),
  format: z.enum(webhookFormats).optional().describe("webhook"),
  template: z
    .string()
    .max(16 * 1024, "The template is larger than 16 KiB.")
    .optional()
    .describe("webhook: the body, with placeholders; without, everything there is"),
});
export const BotTokenReply = Outcome.extend({ token: z.string() });
export const SigningSecretReply = Outcome.extend({ secret: z.string().describe("Shown this once") });
