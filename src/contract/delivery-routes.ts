import { z } from "zod";
import { LinkToken, Outcome } from "./account.ts";
import {
  BotTokenReply,
  ChannelAddress,
  ChannelParams,
  Channels,
  GivenChannelParams,
  OwnChannelParams,
  SigningSecretReply,
  TriggerRun,
  TriggerTestReply,
} from "./delivery.ts";
import { ExecutionParams, Trigger } from "./job.ts";
import { Pace, Paces } from "./pace.ts";
import type { Route } from "./route.ts";

/** Channels, triggers and what others call us for. */
export const deliveryRoutes = {
  channels: {
    method: "GET",
    path: "/api/me/channels",
    access: "account",
    summary: "How alerts reach the signed-in user",
    reply: Channels,
  },
  putChannelAddress: {
    method: "PUT",
    path: "/api/me/channels/:channel",
    access: "account",
    summary: "Send alerts to an address, such as a Discord webhook; it is asked for its name first",
    params: GivenChannelParams,
    body: ChannelAddress,
    reply: Outcome,
  },
  removeChannel: {
    method: "DELETE",
    path: "/api/me/channels/:channel",
    access: "account",
    summary: "Send no more alerts by a channel: its address or chat is forgotten",
    params: OwnChannelParams,
    reply: Outcome,
  },
  paces: {
    method: "GET",
    path: "/api/me/paces",
    access: "account",
    summary: "How soon each channel tells what",
    reply: Paces,
  },
  putPace: {
    method: "PUT",
    path: "/api/me/channels/:channel/pace",
    access: "account",
    summary:
      "Tell at once, hourly or daily, by severity, and not in quiet hours; what is critical is told at once",
    params: ChannelParams,
    body: Pace,
    reply: Outcome,
  },
  testChannel: {
    method: "POST",
    path: "/api/me/channels/:channel/test",
    access: "account",
    summary: "Send a test alert now",
    params: ChannelParams,
    reply: Outcome,
  },
  renewBotToken: {
    method: "POST",
    path: "/api/me/bot-token",
    access: "account",
    summary: "Replace the token that links a Telegram chat",
    reply: BotTokenReply,
  },
  renewSigningSecret: {
    method: "POST",
    path: "/api/me/signing-secret",
    access: "account",
    summary: "Replace the secret that triggers are signed with",
    reply: SigningSecretReply,
  },
  testTrigger: {
    method: "POST",
    path: "/api/triggers/test",
    access: "account",
    scope: "write",
    summary: "Fire a trigger once with example values; nothing is saved",
    body: z.object({
      trigger: Trigger,
      jobId: z.uuid().optional().describe("Whose masked header values and followed values to use"),
      values: z
        .array(z.string().max(100))
        .max(100)
        .optional()
        .describe("The names of the followed values, where they differ from those of the job"),
    }),
    reply: TriggerTestReply,
  },
  runTriggerAgain: {
    method: "POST",
    path: "/api/jobs/:jobId/executions/:executionId/trigger",
    access: "account",
    scope: "write",
    summary: "Fire the job's trigger for an execution once more",
    params: ExecutionParams,
    reply: TriggerRun,
  },
  unsubscribePage: {
    method: "GET",
    path: "/api/unsubscribe/:token",
    access: "public",
    summary: "Asks whether alerts by mail shall end",
    params: LinkToken,
    reply: "text/html",
  },
  unsubscribe: {
    method: "POST",
    path: "/api/unsubscribe/:token",
    access: "public",
    summary: "End alerts by mail (RFC 8058)",
    params: LinkToken,
    bodyType: "form",
    reply: "text/html",
  },
  telegramWebhook: {
    method: "POST",
    path: "/api/telegram/webhook",
    access: "signed",
    summary: "Updates of the bot, where BASE_URL is public",
    body: z.looseObject({ update_id: z.int() }),
    reply: z.object({}),
  },
} as const satisfies Record<string, Route>;
