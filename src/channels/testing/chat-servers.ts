import { answer, listen, type Received } from "./listen.ts";

const read = ({ body }: Received) => JSON.parse(body.toString() || "{}");

type SlackBlock = {
  type: string;
  text?: { type: string; text: string };
  elements?: { type: string; elements?: SlackRun[] }[];
};
type SlackRun = { type: string; text: string; style?: Record<string, true> };

/** Slack's incoming webhooks. A message without text is refused by `no_text`, which proves that the webhook works. */
export async function startSlackServer() {
  const messages: { text: string; blocks: SlackBlock[] }[] = [];
  const webhooks = new Set(["/services/T1/B1/good"]);
  const state = { down: false, limited: 0 };
  const server = await listen((request, response) => {
    if (state.down) return void response.destroy();
    if (!webhooks.has(request.path)) return answer(response, 404, "no_service");
    if (state.limited-- > 0) return answer(response, 429, "rate_limited", { "retry-after": "1" });
    const message = read(request);
    if (!message.text && !message.blocks) return answer(response, 400, "no_text");
    for (const { type, text, elements } of message.blocks ?? []) {
      if (type === "rich_text" && !isRichText(elements)) return answer(response, 400, "invalid_blocks");
      if (type === "header" && text.text.length > 150) return answer(response, 400, "invalid_blocks");
      if (type === "section" && (text.text.length > 3000 || text.text === ""))
        return answer(response, 400, "invalid_blocks");
    }
    if ((message.blocks ?? []).length > 50) return answer(response, 400, "invalid_blocks");
    messages.push(message);
    answer(response, 200, "ok");
  });
  return { ...server, webhook: `${server.url}/services/T1/B1/good`, messages, webhooks, state };
}

/** Whether the elements consist of text runs, none of them empty, in styles that Slack supports. */
function isRichText(elements: SlackBlock["elements"] = []): boolean {
  return elements.every(
    ({ type, elements: runs = [] }) =>
      /^rich_text_(section|preformatted)$/.test(type) &&
      runs.length > 0 &&
      runs.every(
        (run) =>
          run.type === "text" &&
          run.text !== "" &&
          Object.keys(run.style ?? {}).every((style) => ["bold", "strike", "code"].includes(style)),
      ),
  );
}

type Card = {
  type: string;
  body: { type: string; inlines?: { text: string; strikethrough?: true; weight?: string }[] }[];
  actions: { url: string }[];
};

/** A Teams workflow: accepts a message with an Adaptive Card and answers 202. */
export async function startTeamsServer() {
  const cards: Card[] = [];
  const state = { gone: false };
  const server = await listen((request, response) => {
    if (state.gone) return answer(response, 404, { error: { code: "WorkflowNotFound" } });
    const { type, attachments } = read(request);
    const [attachment] = attachments ?? [];
    const isCard = attachment?.contentType === "application/vnd.microsoft.card.adaptive";
    if (type !== "message" || !isCard || request.body.length > 28 * 1024)
      return answer(response, 400, { error: { code: "InvalidRequest" } });
    cards.push(attachment.content);
    answer(response, 202, "");
  });
  return { ...server, webhook: `${server.url}/workflows/1/triggers/manual/paths/invoke`, cards, state };
}

/** An ntfy server: health, and publishing as JSON to its root. */
export async function startNtfyServer() {
  const messages: { topic: string; title: string; message: string; priority: number; click: string }[] = [];
  const server = await listen((request, response) => {
    if (request.path === "/v1/health") return answer(response, 200, { healthy: true });
    if (request.method !== "POST" || request.path !== "/")
      return answer(response, 404, { code: 40401, http: 404 });
    const message = read(request);
    if (message.topic === "closed" && request.headers.authorization !== "Bearer tk_good")
      return answer(response, 403, { code: 40301, http: 403, error: "forbidden" });
    if (Buffer.byteLength(message.message) > 4096) return answer(response, 413, { code: 41301, http: 413 });
    messages.push(message);
    answer(response, 200, { id: String(messages.length), event: "message" });
  });
  return { ...server, topic: `${server.url}/news`, closed: `${server.url}/closed`, messages };
}

/** A Matrix homeserver with one user in one room; a repeated transaction is stored only once. */
export async function startMatrixServer() {
  const room = "!abc:example.org";
  type Content = { body: string; formatted_body?: string };
  type Replacing = Content & {
    "m.new_content"?: Content;
    "m.relates_to"?: { rel_type: string; event_id: string };
  };
  const events = new Map<string, Replacing>();
  /** The text of an event as a reader sees it: that of its last replacement. */
  const textOf = (event: string) =>
    [...events.values()].findLast((one) => one["m.relates_to"]?.event_id === `$${event}`)?.["m.new_content"]
      ?.body ?? events.get(event)?.body;
  const state = { limited: 0 };
  const server = await listen((request, response) => {
    const path = decodeURIComponent(request.path).replace("/_matrix/client/v3", "");
    if (request.headers.authorization !== "Bearer syt_good")
      return answer(response, 401, { errcode: "M_UNKNOWN_TOKEN", error: "Unrecognised access token" });
    if (path === "/account/whoami") return answer(response, 200, { user_id: "@watch:example.org" });
    if (path === "/joined_rooms") return answer(response, 200, { joined_rooms: [room] });
    if (path === `/rooms/${room}/state/m.room.name`) return answer(response, 200, { name: "Alerts" });
    const [, transaction] = new RegExp(`^/rooms/${room}/send/m.room.message/([^/]+)$`).exec(path) ?? [];
    if (!transaction || request.method !== "PUT")
      return answer(response, 403, { errcode: "M_FORBIDDEN", error: "User is not in the room" });
    if (state.limited-- > 0)
      return answer(response, 429, { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 900 });
    if (!events.has(transaction)) events.set(transaction, read(request));
    answer(response, 200, { event_id: `$${transaction}` });
  });
  return { ...server, room, events, textOf, state };
}
