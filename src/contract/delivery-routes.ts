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
import { Pace, Paces } from "./delivery-schedule.ts";
import { ExecutionParams, Trigger } from "./job.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: channels, triggers, unsubscribe links and the Telegram webhook. */
export const deliveryRoutes = {
  channels: {
    method: "GET",
    path: "/api/me/channels",
    access: "account",
    summary: "Get the signed-in user's alert channels",
    reply: Channels,
  },
  putChannelAddress: {
    method: "PUT",
    path: "/api/me/channels/:channel",
    access: "account",
    summary: "Set the address of a channel, such as a Discord webhook; it is checked before it is saved",
    params: GivenChannelParams,
    body: ChannelAddress,
    reply: Outcome,
  },
  removeChannel: {
    method: "DELETE",
    path: "/api/me/channels/:channel",
    access: "account",
    summary: "Stop alerts through a channel and delete its address or chat link",
    params: OwnChannelParams,
    reply: Outcome,
  },
  paces: {
    method: "GET",
    path: "/api/me/paces",
    access: "account",
    summary: "Get the delivery schedules of the channels",
    reply: Paces,
  },
  putPace: {
    method: "PUT",
    path: "/api/me/channels/:channel/pace",
    access: "account",
    summary:
      "Set when a channel sends alerts, by severity, and its quiet hours; critical alerts are always sent immediately",
    params: ChannelParams,
    body: Pace,
    reply: Outcome,
  },
  testChannel: {
    method: "POST",
    path: "/api/me/channels/:channel/test",
    access: "account",
    summary: "Send a test alert through a channel now",
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
    summary: "Replace the secret that triggers and messages to the webhook are signed with",
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
      jobId: z
        .uuid()
        .optional()
        .describe("Job whose saved header values replace masked ones, and whose followed values can be used"),
      values: z
        .array(z.string().max(100))
        .max(100)
        .optional()
        .describe("Names of the followed values, if they differ from the job's"),
    }),
    reply: TriggerTestReply,
  },
  runTriggerAgain: {
    method: "POST",
    path: "/api/jobs/:jobId/executions/:executionId/trigger",
    access: "account",
    scope: "write",
    summary: "Fire the job's trigger for an execution again",
    params: ExecutionParams,
    reply: TriggerRun,
  },
  unsubscribePage: {
    method: "GET",
    path: "/api/unsubscribe/:token",
    access: "public",
    summary: "Show a page that asks whether to stop alerts by email",
    params: LinkToken,
    reply: "text/html",
  },
  unsubscribe: {
    method: "POST",
    path: "/api/unsubscribe/:token",
    access: "public",
    summary: "Stop alerts by email (one-click unsubscribe, RFC 8058)",
    params: LinkToken,
    bodyType: "form",
    reply: "text/html",
  },
  telegramWebhook: {
    method: "POST",
    path: "/api/telegram/webhook",
    access: "signed",
    summary: "Receive updates for the Telegram bot; used if BASE_URL is a public https address",
    body: z.looseObject({ update_id: z.int() }),
    reply: z.object({}),
  },
} as const satisfies Record<string, Route>;
