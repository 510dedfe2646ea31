import { Api, Bot, type Context, InlineKeyboard } from "grammy";
import { keepPace } from "./channels/telegram.ts";
import { asWords, telegramLimits } from "./channels/telegram-text.ts";
import { cut } from "./fill-placeholders.ts";
import type { Pace } from "./pace.ts";

export type BotChat = { id: number; label: string };

/** A message with buttons under it, row by row; `data` comes back when one is pressed. */
export type BotMessage = { text: string; buttons: { label: string; data: string }[][] };

/** What the bot answers; plain text, so that nothing in it is markup. */
export type BotAnswers = {
  start: (chat: BotChat) => Promise<string>;
  addToken: (chat: BotChat, token: string) => Promise<string>;
  status: (chat: BotChat) => Promise<string>;
  jobs: (chat: BotChat) => Promise<string>;
  stop: (chat: BotChat) => Promise<string>;
  /** A button under a message: a word is shown over the chat, a message comes into it. */
  press(chat: BotChat, action: string, id: string, which: string): Promise<string | BotMessage>;
  /** The chat blocked the bot or put it out. */
  left(chat: BotChat): Promise<void>;
};

export type TelegramBot = {
  /** Takes updates by long polling until told to stop; throws when Telegram refuses. */
  poll(signal: AbortSignal): Promise<void>;
  /** Has updates sent to an address instead. */
  setWebhook(url: string, secret: string): Promise<void>;
  handle(update: unknown): Promise<void>;
};

const commands = [
  { command: "start", description: "What this bot does" },
  { command: "addtoken", description: "Link this chat: /addtoken TOKEN" },
  { command: "status", description: "How your jobs are" },
  { command: "jobs", description: "List your jobs" },
  { command: "stop", description: "No more alerts in this chat" },
];
const wanted = ["message", "callback_query", "my_chat_member"] as const;

/** The bot's listening side. An update that was handled is not handled again, whoever repeats it. */
export function createTelegramBot(options: {
  token: string;
  apiRoot?: string;
  pace: Pace;
  answers: BotAnswers;
  isNew: (updateId: number) => Promise<boolean>;
  onError: (error: Error) => void;
}): TelegramBot {
  const { token, apiRoot, answers } = options;
  const bot = new Bot(token, { client: { timeoutSeconds: 60, ...(apiRoot ? { apiRoot } : {}) } });
  bot.api.config.use(keepPace(options.pace));
  bot.catch(({ error }) => options.onError(error instanceof Error ? error : new Error(String(error))));
  bot.use(async (context, next) => {
    if (await options.isNew(context.update.update_id)) await next();
  });

  const reply = (ask: (chat: BotChat, text: string) => Promise<string>) => async (context: Context) => {
    const text = typeof context.match === "string" ? context.match.trim() : "";
    await context.reply(cut(await ask(chatOf(context), text), 4096), {
      link_preview_options: { is_disabled: true },
    });
  };
  bot.command("start", reply(answers.start));
  bot.command("addtoken", async (context) => {
    // The token should not stay in the chat; where the bot may not remove it, it is worthless after use anyway.
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
    const text = answer.text.split("\n").map(asWords).join("\n");
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
        // Its types name another AbortSignal; it only listens to it.
        await bot.init(signal as unknown as Parameters<typeof bot.init>[0]);
        await bot.api.setMyCommands(commands);
        if (!signal.aborted) await bot.start({ allowed_updates: wanted, timeout: 25 });
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    async setWebhook(url, secret) {
      await bot.init();
      await bot.api.setMyCommands(commands);
      await bot.api.setWebhook(url, { secret_token: secret, allowed_updates: wanted });
    },
    async handle(update) {
      if (!bot.isInited()) await bot.init();
      await bot.handleUpdate(update as Parameters<typeof bot.handleUpdate>[0]);
    },
  };
}

/** The bot's name, as Telegram knows it; throws when it does not. */
export async function askBotName({ token, apiRoot }: { token: string; apiRoot?: string }): Promise<string> {
  const api = new Api(token, { timeoutSeconds: 10, ...(apiRoot && { apiRoot }) });
  return (await api.getMe()).username;
}

function chatOf({ chat }: Context): BotChat {
  if (!chat) throw new Error("an update without a chat");
  const name = chat.username ? `@${chat.username}` : (chat.title ?? chat.first_name ?? String(chat.id));
  return { id: chat.id, label: cut(name, 80) };
}
