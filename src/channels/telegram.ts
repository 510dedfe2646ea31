import { Api, GrammyError, HttpError, InlineKeyboard, InputFile } from "grammy";
import type { Message } from "grammy/types";
import type { Alert } from "#message-templates/alert.ts";
import type { Channel } from "./channel.ts";
import { maxAttempts, type SendFailure, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";
import { alertText, digestText, telegramLimits } from "./telegram-text.ts";

export type Telegram = Channel<string> & {
  /** The bot's user name, used to open a chat with it; null while Telegram does not return it. */
  name(): Promise<string | null>;
};

// A little slower than allowed, because messages do not arrive as evenly as they are sent.
const everyMs = { all: 40, chat: 1_200, group: 3_200 };
const shortPause = 3;

/** Opens the sending side of the bot; every message to a chat respects Telegram's rate limits, whoever sends it. */
export function openTelegram(options: { token: string; apiRoot?: string; pace: SendRate }): Telegram {
  const { token, apiRoot, pace } = options;
  const api = new Api(token, { timeoutSeconds: 20, ...(apiRoot ? { apiRoot } : {}) });
  api.config.use(limitSendRate(pace));

  async function send(work: () => Promise<Message>): Promise<SendResult> {
    try {
      const { chat, message_id: id, photo } = await work();
      return { ok: true, ref: writeRef({ chatId: String(chat.id), id, hasPicture: photo !== undefined }) };
    } catch (error) {
      return { ok: false, failure: telegramFailure(error) };
    }
  }

  const text = (chatId: string, html: string, keyboard?: InlineKeyboard) =>
    api.sendMessage(chatId, html, {
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      ...(keyboard ? { reply_markup: keyboard } : {}),
    });

  async function sendWithPicture(chatId: string, alert: Alert, picture: Buffer): Promise<Message> {
    const keyboard = buttons(alert);
    const caption = alertText(alert, telegramLimits.caption);
    const options = { caption, parse_mode: "HTML", ...(keyboard ? { reply_markup: keyboard } : {}) } as const;
    try {
      return await api.sendPhoto(chatId, new InputFile(picture, "before-after.jpg"), options);
    } catch (error) {
      // A picture that Telegram refuses must not prevent the alert.
      const refused = error instanceof GrammyError && (error.error_code === 400 || error.error_code === 413);
      if (!refused || telegramFailure(error).gone || error.parameters.migrate_to_chat_id) throw error;
      return text(chatId, alertText(alert, telegramLimits.text), keyboard);
    }
  }

  async function edit({ chatId, id, hasPicture }: MessageRef, alert: Alert): Promise<SendResult> {
    const keyboard = buttons(alert);
    const options = { parse_mode: "HTML", ...(keyboard ? { reply_markup: keyboard } : {}) } as const;
    try {
      if (hasPicture)
        await api.editMessageCaption(chatId, id, {
          caption: alertText(alert, telegramLimits.caption),
          ...options,
        });
      else
        await api.editMessageText(chatId, id, alertText(alert, telegramLimits.text), {
          link_preview_options: { is_disabled: true },
          ...options,
        });
    } catch (error) {
      // It was edited before, by an attempt whose end wasn't recorded.
      const isSame = error instanceof GrammyError && error.description.includes("message is not modified");
      if (!isSame) return { ok: false, failure: telegramFailure(error) };
    }
    return { ok: true };
  }

  let botName: string | undefined;
  return {
    limits: { attempts: maxAttempts, share: null, text: 3_800, withPicture: 850 },
    address: ({ chatId }) => (chatId === null ? null : String(chatId)),
    async name() {
      botName ??= await api.getMe().then(
        (me) => me.username,
        () => undefined,
      );
      return botName ?? null;
    },
    sendAlert: (chatId, alert) =>
      send(() =>
        alert.picture && alert.picture.length <= telegramLimits.photoBytes
          ? sendWithPicture(chatId, alert, alert.picture)
          : text(chatId, alertText(alert, telegramLimits.text), buttons(alert)),
      ),
    async editAlert(chatId, ref, alert) {
      const message = readRef(ref);
      if (message?.chatId === chatId) return edit(message, alert);
      return { ok: false, failure: { message: "The message is in another chat.", transient: false } };
    },
    sendDigest: (chatId, digest) => send(() => text(chatId, digestText(digest))),
  };
}

type MessageRef = { chatId: string; id: number; hasPicture: boolean };

const writeRef = ({ chatId, id, hasPicture }: MessageRef) =>
  `${chatId}/${id}/${hasPicture ? "picture" : "text"}`;

function readRef(ref: string): MessageRef | null {
  const [chatId = "", id = "", kind] = ref.split("/");
  return id === "" ? null : { chatId, id: Number(id), hasPicture: kind === "picture" };
}

const chatKey = (chatId: string | number) => `telegram:${chatId}`;

/** Telegram accepts 30 messages a second in total, one a second per chat and 20 a minute per group. */
export function limitSendRate(pace: SendRate): Parameters<Api["config"]["use"]>[0] {
  return async (call, method, payload, signal) => {
    const chatId = /^(?:send|edit)/.test(method) && "chat_id" in payload ? payload.chat_id : undefined;
    if (chatId === undefined) return call(method, payload, signal);
    const key = chatKey(String(chatId));
    const every = String(chatId).startsWith("-") ? everyMs.group : everyMs.chat;
    for (let tries = 1; ; tries++) {
      await takeTurn(pace, key, every);
      await takeTurn(pace, "telegram", everyMs.all);
      const answer = await call(method, payload, signal);
      const retryAfter = answer.ok ? undefined : answer.parameters?.retry_after;
      if (retryAfter === undefined) return answer;
      await pace.pause(key, retryAfter);
      if (retryAfter > shortPause || tries === 3) return answer;
    }
  };
}

/** Thrown instead of waiting in a long queue: the task comes back later and blocks nobody in the meantime. */
class PaceError extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super("the flood limit is reached");
    this.seconds = seconds;
  }
}

async function takeTurn(pace: SendRate, key: string, every: number): Promise<void> {
  const seconds = await pace.take(key, every);
  if (seconds > 0) throw new PaceError(seconds);
}

/** Buttons below an alert; the bot reads their data. */
function buttons({ kind, jobId, executionId, question, ignored }: Alert): InlineKeyboard | undefined {
  if (!jobId) return undefined;
  const keyboard = new InlineKeyboard();
  if (question && executionId) {
    for (const { label, answer } of question.choices)
      keyboard.text(label, `often-${answer}:${executionId}`).row();
  }
  keyboard.text("Run again", `run:${jobId}`).text("Pause job", `pause:${jobId}`);
  if (kind !== "change" || !executionId) return keyboard;
  keyboard.row();
  // The question already offers this choice.
  if (!question) keyboard.text("This is noise", `noise:${executionId}`);
  return ignored > 0 ? keyboard.text(`Ignored: ${ignored}`, `ignored:${executionId}`) : keyboard;
}

/** Translates a failed call into what it means for the chat. */
function telegramFailure(error: unknown): SendFailure {
  if (error instanceof PaceError)
    return {
      message: "Telegram limits how fast we may send: we’ll try again.",
      transient: true,
      retryAfterSeconds: error.seconds,
    };
  if (error instanceof HttpError) return { message: "We couldn’t reach Telegram.", transient: true };
  if (!(error instanceof GrammyError)) throw error;
  const { error_code: code, description, parameters } = error;
  const message = `Telegram answered: ${description}`;
  if (code === 429)
    return { message, transient: true, retryAfterSeconds: Math.max(1, parameters.retry_after ?? 1) };
  if (parameters.migrate_to_chat_id)
    return { message, transient: true, movedTo: String(parameters.migrate_to_chat_id) };
  // 401 and 404 concern the bot's own token: the operator must fix it, the chat is not at fault.
  if (code >= 500 || code === 401 || code === 404) return { message, transient: true };
  const gone = code === 403 || /chat not found|user is deactivated|PEER_ID_INVALID/i.test(description);
  return { message, transient: false, ...(gone ? { gone } : {}) };
}
