import { answerOften, answerWords } from "#checks/answer-often.ts";
import { runJob } from "#checks/run-job.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { oftenAnswers } from "#contract/job.ts";
import { profilePath } from "#contract/links.ts";
import type { BotAnswers, BotChat, BotMessage } from "#delivery/telegram-bot.ts";
import { setJobStatus } from "#jobs/set-job-status.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { findAccountOfChat, markFailing, removeChannel } from "#storage/channels.ts";
import { findJobOfExecution } from "#storage/executions.ts";
import { listJobsOf } from "#storage/jobs.ts";
import { countUse, forgetUses } from "#storage/rate-limits.ts";
import type { Deps } from "./deps.ts";
import { linkTelegram } from "./link-telegram.ts";
import { ignoredByChat, noiseByChat, tellByChat } from "./noise-by-chat.ts";

const guesses = { uses: 5, windowSeconds: 3600 };

/** What the bot says and does; a chat acts for the account it is linked to and for no other. */
export function answerTelegram(deps: Deps): BotAnswers {
  const { db } = deps;
  const profile = `${deps.baseUrl}${profilePath}`;
  const how = `Copy the /addtoken command from your profile and send it here:\n${profile}`;
  const unlinked = `This chat is not linked to an account.\n\n${how}`;

  async function forAccount<Answer extends string | BotMessage>(
    chat: BotChat,
    tell: (accountId: string) => Promise<Answer>,
  ): Promise<Answer | string> {
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
      const answer = await linkTelegram(deps, chat, token);
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
        await addAuditEntry(db, accountId, {
          action: "channel-removed",
          about: "Telegram",
          actor: "telegram",
        });
        return "This chat is unlinked; no more alerts come here.";
      }),
    press: (chat, action, id, which) =>
      forAccount(chat, (accountId) => act(deps, { accountId }, action, id, which)).catch((error: unknown) => {
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

async function act(
  deps: Deps,
  actor: Actor,
  action: string,
  id: string,
  which: string,
): Promise<string | BotMessage> {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new AppError("NOT_FOUND");
  if (action === "run") {
    const { joined } = await runJob(deps, actor, id);
    return joined ? "A check is already under way." : "The check has started.";
  }
  if (action === "pause") {
    await setJobStatus(deps, actor, id, "PAUSED");
    return "The job is paused.";
  }
  const answer = oftenAnswers.find((one) => action === `often-${one}`);
  if (!["noise", "ignored", "tell"].includes(action) && !answer) throw new AppError("NOT_FOUND");
  const jobId = await findJobOfExecution(deps.db, actor.accountId, id);
  if (!jobId) throw new AppError("NOT_FOUND", "This change is not kept any more.");
  if (answer) {
    await answerOften(deps, actor, jobId, id, answer);
    return answerWords[answer];
  }
  const about = { jobId, executionId: id };
  if (action === "ignored") return ignoredByChat(deps, about);
  return action === "tell" ? tellByChat(deps, actor, about, which) : noiseByChat(deps, actor, about, which);
}
