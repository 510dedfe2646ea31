import type { ServerResponse } from "node:http";
import { answer, listen, type Received, readForm, until } from "./listen.ts";

type Sent = {
  chatId: string;
  method: string;
  text: string;
  html: string;
  photo: Uint8Array | undefined;
  buttons: { text: string; callback_data: string }[];
  at: number;
  /** How often its text was changed later. */
  edits: number;
};
type Fields = Record<string, string>;

const bot = { id: 42, is_bot: true, first_name: "Watchglass", username: "watchglass_bot" };

/** The part of the Bot API that we use, with Telegram's limits: what Telegram would refuse is refused here. */
export async function startTelegramServer(token = "42:TEST-TOKEN") {
  const sent: Sent[] = [];
  const calls: { method: string; fields: Fields }[] = [];
  const createInitialState = () => ({
    down: false,
    blocked: new Set<string>(),
    floods: 0,
    conflicts: 0,
    perChat: 3,
    answersEdits: true,
  });
  const state = createInitialState();
  const updates: { update_id: number; [key: string]: unknown }[] = [];
  let number = 0;
  let poll: { end: (result: unknown) => void } | undefined;
  let webhook: { url: string; secret: string } | undefined;

  const server = await listen(async (request, response) => {
    if (state.down) return void response.destroy();
    const method = request.path.match(new RegExp(`^/bot${token}/(\\w+)$`))?.[1];
    if (!method) return refuse(response, 401, "Unauthorized");
    const { fields, photo } = await read(request);
    calls.push({ method, fields });
    if (method === "getUpdates") return getUpdates(fields, response);
    if (method === "sendMessage" || method === "sendPhoto") return send(method, fields, photo, response);
    if (method === "editMessageText" || method === "editMessageCaption")
      return edit(method, fields, response);
    if (method === "setWebhook") webhook = { url: fields.url ?? "", secret: fields.secret_token ?? "" };
    if (method === "deleteWebhook") webhook = undefined;
    answer(response, 200, { ok: true, result: method === "getMe" ? bot : true });
  });

  function getUpdates(fields: Fields, response: ServerResponse): void {
    const offset = Number(fields.offset ?? 0);
    while (updates[0] && updates[0].update_id < offset) updates.shift();
    if (poll) {
      state.conflicts++;
      poll.end(undefined);
    }
    if (updates.length > 0) return answer(response, 200, { ok: true, result: updates });
    const end = (result: unknown) => {
      clearTimeout(timer);
      poll = undefined;
      if (result) answer(response, 200, { ok: true, result });
      else refuse(response, 409, "Conflict: terminated by other getUpdates request");
    };
    const timer = setTimeout(() => end([]), Number(fields.timeout ?? 0) * 1000);
    poll = { end };
    response.on("close", () => {
      if (poll?.end === end) end([]);
    });
  }

  function send(
    method: string,
    fields: Fields,
    photo: Uint8Array | undefined,
    response: ServerResponse,
  ): void {
    const chatId = fields.chat_id ?? "";
    const html = fields.text ?? fields.caption ?? "";
    const text = fields.parse_mode === "HTML" ? plainText(html) : html;
    if (state.blocked.has(chatId)) return refuse(response, 403, "Forbidden: bot was blocked by the user");
    if (text === undefined) return refuse(response, 400, "Bad Request: can't parse entities");
    if (text.length > (method === "sendPhoto" ? 1024 : 4096))
      return refuse(response, 400, "Bad Request: message is too long");
    if (photo && photo.length > 10 * 1024 * 1024) return refuse(response, 413, "Request Entity Too Large");
    const at = performance.now();
    const recentCount = sent.filter((message) => at - message.at < 1000).length;
    const recentToChatCount = sent.filter(
      (message) => message.chatId === chatId && at - message.at < 2000,
    ).length;
    // One message a second per chat, apart from short bursts.
    if (recentCount >= 30 || recentToChatCount >= state.perChat) {
      state.floods++;
      return refuse(response, 429, "Too Many Requests: retry after 1", { retry_after: 1 });
    }
    const markup = JSON.parse(fields.reply_markup ?? "{}") as { inline_keyboard?: Sent["buttons"][] };
    sent.push({
      chatId,
      method,
      text,
      html,
      photo,
      buttons: markup.inline_keyboard?.flat() ?? [],
      at,
      edits: 0,
    });
    answer(response, 200, {
      ok: true,
      result: {
        message_id: sent.length,
        date: 0,
        chat: chat(chatId),
        ...(photo ? { photo: [], caption: text } : { text }),
      },
    });
  }

  /** Changes a message's text in place: it isn't a new message. */
  function edit(method: string, fields: Fields, response: ServerResponse): void {
    const message = sent[Number(fields.message_id) - 1];
    const html = fields.text ?? fields.caption ?? "";
    const text = plainText(html);
    if (!message || message.chatId !== fields.chat_id)
      return refuse(response, 400, "Bad Request: message to edit not found");
    if (state.blocked.has(message.chatId))
      return refuse(response, 403, "Forbidden: bot was blocked by the user");
    if ((method === "editMessageCaption") !== (message.photo !== undefined))
      return refuse(response, 400, "Bad Request: there is no such part of the message to edit");
    if (text === undefined || text.length > (message.photo ? 1024 : 4096))
      return refuse(response, 400, "Bad Request: can't parse entities");
    if (html === message.html)
      return refuse(response, 400, "Bad Request: message is not modified: it is the same");
    Object.assign(message, { text, html, edits: message.edits + 1 });
    if (!state.answersEdits) return;
    answer(response, 200, { ok: true, result: true });
  }

  const chat = (id: string) => ({ id: Number(id), type: "private", first_name: "Ana", username: "ana" });

  async function deliver(update: object, id = ++number): Promise<number> {
    const fullUpdate = { update_id: id, ...update };
    if (webhook) {
      const { url, secret } = webhook;
      await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
        body: JSON.stringify(fullUpdate),
      });
    } else {
      updates.push(fullUpdate);
      poll?.end([fullUpdate]);
    }
    return id;
  }

  const message = (chatId: string, text: string) => ({
    message_id: 1000 + number,
    date: 0,
    chat: chat(chatId),
    from: { ...chat(chatId), is_bot: false },
    text,
    ...(text.startsWith("/")
      ? { entities: [{ type: "bot_command", offset: 0, length: text.split(" ")[0]?.length ?? 0 }] }
      : {}),
  });

  return {
    ...server,
    token,
    sent,
    calls,
    state,
    /** Clears the sent messages and the calls, and restores the initial state. */
    reset() {
      sent.length = 0;
      calls.length = 0;
      Object.assign(state, createInitialState());
    },
    webhook: () => webhook,
    sentTo: (chatId: string) => sent.filter((message) => message.chatId === chatId),
    /** A user writes to the bot; with the `id` of an earlier update, that update is delivered again. */
    say: (chatId: string, text: string, id?: number) => deliver({ message: message(chatId, text) }, id),
    press: (chatId: string, data: string) =>
      deliver({
        callback_query: {
          id: `press-${number}`,
          from: { ...chat(chatId), is_bot: false },
          chat_instance: "1",
          message: message(chatId, "alert"),
          data,
        },
      }),
    /** Waits for the nth message to a chat. */
    message: (chatId: string, nth = 1) =>
      until(
        `message ${nth} to ${chatId}`,
        () => sent.filter((message) => message.chatId === chatId)[nth - 1],
      ),
    async close() {
      poll?.end([]);
      await server.close();
    },
  };
}

async function read(request: Received): Promise<{ fields: Fields; photo: Uint8Array | undefined }> {
  const type = String(request.headers["content-type"]);
  if (type.startsWith("multipart/")) {
    const { fields, files } = await readForm(request);
    return { fields, photo: Object.values(files)[0]?.bytes };
  }
  const json = JSON.parse(request.body.toString() || "{}") as Record<string, unknown>;
  const entries = Object.entries(json).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return { fields: Object.fromEntries(entries), photo: undefined };
}

function refuse(response: ServerResponse, code: number, description: string, parameters?: object): void {
  answer(response, code, { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) });
}

/** The text that Telegram shows for this HTML; undefined if it would refuse the message. */
function plainText(html: string): string | undefined {
  const openTags: string[] = [];
  let text = "";
  for (const [whole, tag, plain] of html.matchAll(/<(\/?[^>]*)>|([^<]+)/g)) {
    if (plain !== undefined) text += plain;
    else if (tag?.startsWith("/")) {
      if (openTags.pop() !== tag.slice(1)) return undefined;
    } else if (/^(b|i|s|pre|code)$/.test(tag ?? "")) openTags.push(tag ?? "");
    else return undefined;
    if (whole === "<") return undefined;
  }
  if (openTags.length > 0 || /&(?!(amp|lt|gt|quot);)/.test(text)) return undefined;
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
