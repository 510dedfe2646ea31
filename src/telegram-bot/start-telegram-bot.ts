import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import { openSendRate } from "#channels/open-send-rate.ts";
import { noEgressAllow } from "#network/address-rules/egress-allow.ts";
import { judgeUrl } from "#network/judge-url.ts";
import { isNewUpdate } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { electLeader } from "#storage/elect-leader.ts";
import { answerCommands } from "./answer-commands.ts";
import type { TelegramBot } from "./telegram-bot.ts";

/** What the bot needs of the process that runs it. */
type BotDeps = {
  alerts: AlertDeps;
  db: Database;
  connectionString: string;
  config: { baseUrl: string; telegram: { token: string; apiRoot?: string } | null };
  accounts: { sessionSecret: string };
  logger: { warn(details: object, message: string): void };
};

const reporter = (app: BotDeps) => (error: Error) =>
  app.logger.warn({ reason: error.message }, "the Telegram bot failed");

export async function createBot(app: BotDeps): Promise<TelegramBot | null> {
  const { telegram } = app.config;
  if (!telegram) return null;
  const { createTelegramBot } = await import("./telegram-bot.ts");
  return createTelegramBot({
    ...telegram,
    pace: openSendRate(app.db),
    answers: answerCommands(app.alerts),
    isNew: (updateId) => isNewUpdate(app.db, updateId),
    onError: reporter(app),
  });
}

/** Runs the bot: by webhook where Telegram can reach us, else by long polling in one process at a time. */
export function startTelegram(app: BotDeps & { bot: TelegramBot | null }): () => Promise<void> {
  const { bot } = app;
  const onError = reporter(app);
  if (!bot) return async () => undefined;
  if (isPublicHttps(app.config.baseUrl)) {
    const url = `${app.config.baseUrl}/api/telegram/webhook`;
    void bot.setWebhook(url, webhookSecret(app)).catch(onError);
    return async () => undefined;
  }
  const poll = (signal: AbortSignal) => bot.poll(signal).catch(onError);
  const lead = electLeader(app.connectionString, "telegram", poll, onError);
  return () => lead.close();
}

function isPublicHttps(baseUrl: string): boolean {
  const judgement = judgeUrl(baseUrl, noEgressAllow);
  return judgement.ok && judgement.parsed.url.protocol === "https:";
}

/** Telegram sends this secret with each update, so that nobody else can send updates. */
function webhookSecret({ accounts }: BotDeps): string {
  return createHmac("sha256", accounts.sessionSecret).update("telegram webhook").digest("base64url");
}

export function isFromTelegram(app: BotDeps, secret: unknown): boolean {
  const given = createHash("sha256").update(String(secret)).digest();
  return timingSafeEqual(given, createHash("sha256").update(webhookSecret(app)).digest());
}
