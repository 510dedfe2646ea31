import { Api, Bot, type Context, InlineKeyboard } from "grammy";
import type { SendRate } from "#channels/send-rate.ts";
import { limitSendRate } from "#channels/telegram.ts";
import { disarmText, telegramLimits } from "#channels/telegram-text.ts";
import { cut } from "#message-templates/rich-text.ts";

export type BotChat = { id: number; label: string };

/** A message with rows of buttons below it; Telegram returns `data` when a button is pressed. */
export type BotMessage = { text: string; buttons: { label: string; data: string }[][] };

/** The bot's replies: plain text, so that nothing in them is read as markup. */
export type BotAnswers = {
  start: (chat: BotChat) => Promise<string>;
  addToken: (chat: BotChat, token: string) => Promise<string>;
  status: (chat: BotChat) => Promise<string>;
  jobs: (chat: BotChat) => Promise<string>;
  stop: (chat: BotChat) => Promise<string>;
  /** Handles a button: a string is shown as a notice over the chat, a message is sent to the chat. */
  press(chat: BotChat, action: string, id: string, which: string): Promise<string | BotMessage>;
  /** The chat blocked or removed the bot. */
  left(chat: BotChat): Promise<void>;
};

export type TelegramBot = {
  /** Receives updates by long polling until the signal aborts; throws if Telegram refuses. */
  poll(signal: AbortSignal): Promise<void>;
  /** Makes Telegram send updates to an address instead. */
  setWebhook(url: string, secret: string): Promise<void>;
  handle(update: unknown): Promise<void>;
};

const commands = [
  { command: "start", description: "What this bot does" },
  { command: "addtoken", description: "Link this chat: /addtoken TOKEN" },
  { command: "status", description: "Show the state of your jobs" },
  { command: "jobs", description: "List your jobs" },
  { command: "stop", description: "Stop alerts in this chat" },
];
const updateTypes = ["message", "callback_query", "my_chat_member"] as const;

/** The receiving side of the bot. An update is handled only once, even if it is delivered again. */
export function createTelegramBot(options: {
  token: string;
  apiRoot?: string;
  pace: SendRate;
  answers: BotAnswers;
  isNew: (updateId: number) => Promise<boolean>;
  onError: (error: Error) => void;
}): TelegramBot {
  const { token, apiRoot, answers } = options;
  const bot = new Bot(token, { client: { timeoutSeconds: 60, ...(apiRoot ? { apiRoot } : {}) } });
  bot.api.config.use(limitSendRate(options.pace));
  bot.catch(({ error }) => options.onError(error instanceof Error ? error : new Error(String(error))));
  bot.use(async (context, next) => {
    if (await options.isNew(context.update.update_id)) await next();
  });

  const reply = (answer: (chat: BotChat, text: string) => Promise<string>) => async (context: Context) => {
    const text = typeof context.match === "string" ? context.match.trim() : "";
    await context.reply(cut(await answer(chatOf(context), text), 4096), {
      link_preview_options: { is_disabled: true },
    });
  };
  bot.command("start", reply(answers.start));
  bot.command("addtoken", async (context) => {
    // The token should not stay in the chat. If the bot can't delete it, it is useless after use anyway.
    await context.deleteMessage().catch(() => undefined);
    await reply(answers.addToken)(context);
  });
  bot.command("status", reply(answers.status));
  bot.command("jobs", reply(answers.jobs));
  bot.command("stop", reply(answers.stop));
  bot.on("callback_query:data", async (context) => {
    const [action = "", id = "", which = ""] = context.callbackQuery.data.split(":");
    const answer = context.chat ? await answers.press(chatOf(context), action, id, which) : "";
    if (typeof answer === "string") return context.answerCallbackQuery({ text: cut(answer, 200) });
    await context.answerCallbackQuery();
    const text = answer.text.split("\n").map(disarmText).join("\n");
    return context.reply(cut(text, telegramLimits.text), {
      link_preview_options: { is_disabled: true },
      reply_markup: InlineKeyboard.from(
        answer.buttons.map((row) => row.map(({ label, data }) => InlineKeyboard.text(label, data))),
      ),
    });
  });
  bot.on("my_chat_member", async (context) => {
    const { status } = context.myChatMember.new_chat_member;
    if (status === "kicked" || status === "left") await answers.left(chatOf(context));
  });

  return {
    async poll(signal) {
      const stop = () => void bot.stop().catch(options.onError);
      if (signal.aborted) return;
      signal.addEventListener("abort", stop, { once: true });
      try {
        // grammY's types name another AbortSignal, but it only listens to the signal.
        await bot.init(signal as unknown as Parameters<typeof bot.init>[0]);
        await bot.api.setMyCommands(commands);
        if (!signal.aborted) await bot.start({ allowed_updates: updateTypes, timeout: 25 });
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async setWebhook(url, secret) {
      await bot.init();
      await bot.api.setMyCommands(commands);
      await bot.api.setWebhook(url, { secret_token: secret, allowed_updates: updateTypes });
    },
    async handle(update) {
      if (!bot.isInited()) await bot.init();
      await bot.handleUpdate(update as Parameters<typeof bot.handleUpdate>[0]);
    },
  };
}

/** The bot's user name at Telegram; throws if Telegram does not answer with it. */
export async function askBotName({ token, apiRoot }: { token: string; apiRoot?: string }): Promise<string> {
  const api = new Api(token, { timeoutSeconds: 10, ...(apiRoot && { apiRoot }) });
  return (await api.getMe()).username;
}

function chatOf({ chat }: Context): BotChat {
  if (!chat) throw new Error("an update without a chat");
  const name = chat.username ? `@${chat.username}` : (chat.title ?? chat.first_name ?? String(chat.id));
  return { id: chat.id, label: cut(name, 80) };
}
