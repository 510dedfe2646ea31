import type { ServerResponse } from "node:http";
import { answer, listen, readForm } from "./listen.ts";

type Embed = {
  title: string;
  description: string;
  image?: { url: string };
  fields?: { name: string; value: string }[];
};
type Files = Record<string, { name: string; bytes: Uint8Array }>;
type Message = { username: string; embeds: Embed[]; allowed_mentions: { parse: string[] } };

/** Discord's incoming webhooks with Discord's limits: what Discord would refuse is refused here. */
export async function startDiscordServer() {
  const messages: { id: string; message: Message; files: Files; edits: number }[] = [];
  const webhooks = new Map([["/api/webhooks/123456/good-token", "Alerts"]]);
  const initialState = { down: false, limited: 0 };
  const state = { ...initialState };
  const server = await listen(async (request, response) => {
    if (state.down) return void response.destroy();
    const [path = ""] = request.path.split("?");
    const [, webhook = path, edited] = /^(.*)\/messages\/(\d+)$/.exec(path) ?? [];
    const name = webhooks.get(webhook);
    if (!name) return answer(response, 404, { message: "Unknown Webhook", code: 10015 });
    if (request.method === "GET") return answer(response, 200, { id: "123456", name, channel_id: "1" });
    if (state.limited-- > 0)
      return answer(response, 429, { message: "You are being rate limited.", retry_after: 1, global: false });
    if (request.method === "PATCH") return edit(Number(edited), request.body.toString(), response);
    const { fields, files } = await readForm(request);
    const message = JSON.parse(fields.payload_json ?? "{}") as Message;
    const problem = message.embeds.map((embed) => problemOf(embed, files)).find(Boolean);
    if (problem) return answer(response, 400, { message: problem });
    messages.push({ id: path, message, files, edits: 0 });
    answer(response, 200, { id: String(messages.length) });
  });

  /** Changes a message in place; its attachments stay. */
  function edit(number: number, body: string, response: ServerResponse): void {
    const stored = messages[number - 1];
    const { embeds } = JSON.parse(body) as Message;
    if (!stored) return answer(response, 404, { message: "Unknown Message", code: 10008 });
    const problem = embeds.map((embed) => problemOf(embed, stored.files)).find(Boolean);
    if (problem) return answer(response, 400, { message: problem });
    stored.message = { ...stored.message, embeds };
    stored.edits++;
    answer(response, 200, { id: String(number) });
  }

  return {
    ...server,
    webhook: `${server.url}/api/webhooks/123456/good-token`,
    messages,
    webhooks,
    state,
    /** Clears the sent messages and restores the initial state. */
    reset() {
      messages.length = 0;
      Object.assign(state, initialState);
    },
  };
}

function problemOf(embed: Embed, files: Files): string | undefined {
  const total =
    embed.title.length +
    embed.description.length +
    (embed.fields ?? []).reduce((sum, field) => sum + field.name.length + field.value.length, 0);
  if (embed.title.length > 256 || embed.description.length > 4096 || total > 6000) return "Invalid Form Body";
  if (embed.fields?.some((field) => field.value.length > 1024 || field.value === ""))
    return "Invalid Form Body";
  const attachment = embed.image?.url.replace("attachment://", "");
  if (attachment && !Object.values(files).some((file) => file.name === attachment))
    return "Unknown attachment";
  return undefined;
}
