import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { answerTelegram } from "#alerts/answer-telegram.ts";
import type { TelegramBot } from "#delivery/telegram-bot.ts";
import { noEgressAllow } from "#network/egress-allow.ts";
import { judgeUrl } from "#network/judge-url.ts";
import { isNewUpdate } from "#storage/channels.ts";
import { leadAlone } from "#storage/lead-alone.ts";
import { openPace } from "#storage/open-pace.ts";
import type { App } from "./app.ts";

type Needed = Omit<App, "bot" | "close">;

const reporter = (app: Needed) => (error: Error) =>
  app.logger.warn({ reason: error.message }, "the bot failed");

export async function createBot(app: Needed): Promise<TelegramBot | null> {
  const { telegram } = app.config;
  if (!telegram) return null;
  const { createTelegramBot } = await import("#delivery/telegram-bot.ts");
  return createTelegramBot({
    ...telegram,
    pace: openPace(app.db),
    answers: answerTelegram(app.alerts),
    isNew: (updateId) => isNewUpdate(app.db, updateId),
    onError: reporter(app),
  });
}

/** Runs the bot: by webhook where Telegram can reach us, else by long polling in one process at a time. */
export function startTelegram(app: App): () => Promise<void> {
  const { bot } = app;
  const onError = reporter(app);
  if (!bot) return async () => undefined;
  if (isPublicHttps(app.config.baseUrl)) {
    const url = `${app.config.baseUrl}/api/telegram/webhook`;
    void bot.setWebhook(url, webhookSecret(app)).catch(onError);
    return async () => undefined;
  }
  const poll = (signal: AbortSignal) => bot.poll(signal).catch(onError);
  const lead = leadAlone(app.connectionString, "telegram", poll, onError);
  return () => lead.close();
}

function isPublicHttps(baseUrl: string): boolean {
  const judgement = judgeUrl(baseUrl, noEgressAllow);
  return judgement.ok && judgement.parsed.url.protocol === "https:";
}

/** Telegram sends it with each update, so that nobody else can. */
function webhookSecret({ accounts }: Needed): string {
  return createHmac("sha256", accounts.sessionSecret).update("telegram webhook").digest("base64url");
}

export function isFromTelegram(app: Needed, secret: unknown): boolean {
  const given = createHash("sha256").update(String(secret)).digest();
  return timingSafeEqual(given, createHash("sha256").update(webhookSecret(app)).digest());
}
