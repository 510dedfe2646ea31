import type { Deps } from "#alerts/deps.ts";
import { runJob } from "#checks/run-job.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { frequentChangeAnswers } from "#contract/job.ts";
import { channelsPath } from "#contract/links.ts";
import { setJobStatus } from "#jobs/set-job-status.ts";
import { answerOften, answerWords } from "#noise-feedback/answer-frequent-change.ts";
import { countUse, resetUses } from "#request-limits/rate-limits.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { findAccountOfChat, markFailing, removeChannel } from "#storage/channels.ts";
import { findJobOfExecution } from "#storage/executions.ts";
import { listJobsOf } from "#storage/jobs.ts";
import { listIgnoredByChat, markNoiseByChat, restoreAlertsByChat } from "./answer-noise-buttons.ts";
import { linkChatByToken } from "./link-chat.ts";
import type { BotAnswers, BotChat, BotMessage } from "./telegram-bot.ts";

const tokenAttempts = { uses: 5, windowSeconds: 3600 };

/** Makes the bot's replies and actions. A chat acts only for the account that it is linked to. */
export function answerCommands(deps: Deps): BotAnswers {
  const { db } = deps;
  const profile = `${deps.baseUrl}${channelsPath}`;
  const instructions = `Copy the /addtoken command from your profile and send it here:\n${profile}`;
  const notLinked = `This chat is not linked to an account.\n\n${instructions}`;

  async function forAccount<Answer extends string | BotMessage>(
    chat: BotChat,
    reply: (accountId: string) => Promise<Answer>,
  ): Promise<Answer | string> {
    const accountId = await findAccountOfChat(db, chat.id);
    return accountId ? reply(accountId) : notLinked;
  }

  return {
    async start(chat) {
      const linked = await findAccountOfChat(db, chat.id);
      const state = linked ? "This chat is linked. You’ll get your alerts here." : instructions;
      return `Watchglass watches web pages and tells you what changed.\n\n${state}\n\n/status the state of your jobs\n/jobs your jobs\n/stop stop alerts in this chat`;
    },
    async addToken(chat, token) {
      const wait = await countUse(db, `bot-token:${chat.id}`, tokenAttempts);
      if (wait > 0) return `Too many attempts. Try again in ${Math.ceil(wait / 60)} minutes.`;
      const answer = await linkChatByToken(deps, chat, token);
      if (answer.linked) await resetUses(db, `bot-token:${chat.id}`);
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
          `${changes} changes found so far. ${failing} jobs are failing now.`,
          "This chat is linked. You’ll get your alerts here.",
        ].join("\n");
      }),
    jobs: (chat) =>
      forAccount(chat, async (accountId) => {
        const jobs = await listJobsOf(db, accountId);
        if (jobs.length === 0) return "You have no jobs yet.";
        const lines = jobs.slice(0, 40).map((job) => `${job.status} ${job.name.slice(0, 60)}`);
        const remaining = jobs.length - lines.length;
        return [...lines, ...(remaining > 0 ? [`… ${remaining} more`] : [])].join("\n");
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
  const answer = frequentChangeAnswers.find((one) => action === `often-${one}`);
  if (!["noise", "ignored", "tell"].includes(action) && !answer) throw new AppError("NOT_FOUND");
  const jobId = await findJobOfExecution(deps.db, actor.accountId, id);
  if (!jobId) throw new AppError("NOT_FOUND", "This change is no longer stored.");
  if (answer) {
    await answerOften(deps, actor, jobId, id, answer);
    return answerWords[answer];
  }
  const about = { jobId, executionId: id };
  if (action === "ignored") return listIgnoredByChat(deps, about);
  return action === "tell"
    ? restoreAlertsByChat(deps, actor, about, which)
    : markNoiseByChat(deps, actor, about, which);
}
