import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { renderLetter } from "#accounts/mail-templates.ts";
import { sendMail } from "#accounts/send-mail.ts";
import { AppError } from "#contract/errors.ts";
import { profilePath } from "#contract/links.ts";
import { planById } from "#contract/plans.ts";
import {
  type BotAnswers,
  type BotChat,
  createTelegramBot,
  type TelegramBot,
} from "#delivery/telegram-bot.ts";
import { notify } from "#jobs/give-up.ts";
import { assertInPlan, renewBotToken } from "#jobs/manage-channels.ts";
import { markNoise } from "#jobs/mark-noise.ts";
import { runJob } from "#jobs/run-job.ts";
import { setJobStatus } from "#jobs/set-status.ts";
import { noEgressAllow } from "#network/egress-allow.ts";
import { judgeUrl } from "#network/judge-url.ts";
import {
  findAccountOfChat,
  isNewUpdate,
  linkChat,
  lockAccountByBotToken,
  markFailing,
  removeChannel,
} from "#storage/channels.ts";
import { findJobOfExecution, listJobsOf } from "#storage/channels-jobs.ts";
import { openPace } from "#storage/channels-pace.ts";
import { leadAlone } from "#storage/lead-alone.ts";
import { countUse, forgetUses } from "#storage/rate-limits.ts";
import type { App } from "./compose.ts";

type Needed = Omit<App, "bot">;

const reporter = (app: Needed) => (error: Error) =>
  app.logger.warn({ reason: error.message }, "the bot failed");

export function createBot(app: Needed): TelegramBot | null {
  const { telegram } = app.config;
  if (!telegram) return null;
  return createTelegramBot({
    ...telegram,
    pace: openPace(app.db),
    answers: botAnswers(app),
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

const guesses = { uses: 5, windowSeconds: 3600 };

/** What the bot says and does; a chat acts for the account it is linked to and for no other. */
function botAnswers(app: Needed): BotAnswers {
  const { db } = app;
  const profile = `${app.config.baseUrl}${profilePath}`;
  const how = `Copy the /addtoken command from your profile and send it here:\n${profile}`;
  const unlinked = `This chat is not linked to an account.\n\n${how}`;

  async function forAccount(chat: BotChat, tell: (accountId: string) => Promise<string>): Promise<string> {
    const accountId = await findAccountOfChat(db, chat.id);
    return accountId ? tell(accountId) : unlinked;
  }

  return {
    async start(chat) {
      const linked = await findAccountOfChat(db, chat.id);
      const state = linked ? "This chat is linked: alerts come here." : how;
      return `Watchglass watches web pages and says what changed.\n\n${state}\n\n/status how your jobs are\n/jobs your jobs\n/stop no more alerts here`;
    },
    async addToken(chat, token) {
      const wait = await countUse(db, `bot-token:${chat.id}`, guesses);
      if (wait > 0) return `Too many attempts. Try again in ${Math.ceil(wait / 60)} minutes.`;
      const answer = await link(app, chat, token);
      if (answer.linked) await forgetUses(db, `bot-token:${chat.id}`);
      return answer.text;
    },
    status: (chat) =>
      forAccount(chat, async (accountId) => {
        const jobs = await listJobsOf(db, accountId);
        const count = (status: string) => jobs.filter((job) => job.status === status).length;
        const failing = jobs.filter((job) => job.last_failed).length;
        const changes = jobs.reduce((sum, job) => sum + job.changes, 0);
        return [
          `${jobs.length} jobs: ${count("ACTIVE")} active, ${count("PAUSED")} paused, ${count("INTERRUPTED")} interrupted.`,
          `${changes} changes seen so far. ${failing} jobs fail at the moment.`,
          "This chat is linked: alerts come here.",
        ].join("\n");
      }),
    jobs: (chat) =>
      forAccount(chat, async (accountId) => {
        const jobs = await listJobsOf(db, accountId);
        if (jobs.length === 0) return "You have no jobs yet.";
        const lines = jobs.slice(0, 40).map((job) => `${job.status} ${job.name.slice(0, 60)}`);
        const left = jobs.length - lines.length;
        return [...lines, ...(left > 0 ? [`… ${left} more`] : [])].join("\n");
      }),
    stop: (chat) =>
      forAccount(chat, async (accountId) => {
        await removeChannel(db, accountId, "telegram");
        return "This chat is unlinked; no more alerts come here.";
      }),
    press: (chat, action, id) =>
      forAccount(chat, (accountId) => act(app, { accountId }, action, id)).catch((error: unknown) => {
        if (error instanceof AppError) return error.message;
        throw error;
      }),
    async left(chat) {
      const accountId = await findAccountOfChat(db, chat.id);
      if (!accountId) return;
      const message = "The bot was blocked or removed from the chat.";
      await markFailing(db, accountId, "telegram", { message, gone: true });
    },
  };
}

/** Links a chat by a token, which is used up by it, and tells the account's owner by mail. */
async function link(app: Needed, chat: BotChat, token: string): Promise<{ linked: boolean; text: string }> {
  const { db, accounts, config } = app;
  const profile = `${config.baseUrl}${profilePath}`;
  const hash = createHash("sha256").update(token).digest();
  try {
    return await db.transaction().execute(async (tx) => {
      const account = await lockAccountByBotToken(tx, hash);
      if (!account) {
        return {
          linked: false,
          text: `This token is not known, or was used or renewed. Copy the current one:\n${profile}`,
        };
      }
      assertInPlan(planById(account.plan_id), "telegram");
      for (const other of await linkChat(tx, account.id, chat.id, chat.label)) {
        await notify(app.delivery, tx, {
          account_id: other,
          kind: "delivery-failed",
          job_id: null,
          execution_id: null,
          severity: "important",
          title: "Alerts by Telegram end",
          message: "The chat was linked to another account.",
        });
      }
      await renewBotToken(app.delivery, tx, account.id);
      const letter = renderLetter({
        subject: "A Telegram chat was linked to your account",
        paragraphs: [
          `Hello ${account.firstname},`,
          `The Telegram chat ${chat.label} now receives your alerts.`,
        ],
        button: { label: "Open the profile", url: profile },
        closing: "If it was not you, unlink the chat in the profile at once and renew the bot token.",
      });
      await sendMail(accounts, tx, { to: account.email, ...letter });
      return { linked: true, text: "Linked. From now on your alerts come to this chat; /stop ends that." };
    });
  } catch (error) {
    if (error instanceof AppError) return { linked: false, text: error.message };
    throw error;
  }
}

async function act(app: Needed, actor: { accountId: string }, action: string, id: string): Promise<string> {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new AppError("NOT_FOUND");
  if (action === "run") {
    const { joined } = await runJob(app.jobs, actor, id);
    return joined ? "A check is already under way." : "The check has started.";
  }
  if (action === "pause") {
    await setJobStatus(app.jobs, actor, id, "PAUSED");
    return "The job is paused.";
  }
  if (action !== "noise") throw new AppError("NOT_FOUND");
  const jobId = await findJobOfExecution(app.db, actor.accountId, id);
  if (!jobId) throw new AppError("NOT_FOUND", "This change is not kept any more.");
  await markNoise(app.jobs, actor, jobId, id);
  return "Marked as noise: such differences do not alert any more.";
}
