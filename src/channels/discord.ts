import { type Alert, type Digest, digestTitle, opinionWords, statusWords } from "#message-templates/alert.ts";
import {
  asText,
  changedLines,
  entryText,
  type ShownLine,
  templateLines,
  titleText,
} from "#message-templates/alert-text.ts";
import { cut, type Markup, writeLine } from "#message-templates/rich-text.ts";
import { type EgressAllow, isListed } from "#network/address-rules/egress-allow.ts";
import { failureSentences } from "#network/failure.ts";
import type { FetchResponse, GuardedFetch } from "#network/guarded-fetch.ts";
import { judgeUrl } from "#network/judge-url.ts";
import type { GivenChannel } from "./channel.ts";
import { unpackAddress } from "./entered-address.ts";
import { maxAttempts, readRetryAfter, type SendFailure, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";

export type Discord = GivenChannel & {
  /** Why an address cannot be a Discord webhook, as a sentence; null if it can. */
  refuse(url: string): string | null;
};

const webhookPath = /^\/api\/(v\d+\/)?webhooks\/\d{1,20}\/[\w-]{1,200}\/?$/;
const webhookHost = /^((ptb|canary)\.)?(discord|discordapp)\.com$/;
// Discord accepts five messages in two seconds per webhook, and thirty a minute per channel.
const everyMs = 2_000;
const colors = { info: 0x868e96, notice: 0x228be6, important: 0xf08c00, critical: 0xe03131 };

/** Sends to incoming webhooks, through the guard like every address that a user entered. */
export function openDiscord(options: { http: GuardedFetch; allow: EgressAllow; pace: SendRate }): Discord {
  const { http, allow, pace } = options;

  function refuse(url: string): string | null {
    const judgement = judgeUrl(url.trim(), allow);
    if (judgement.ok) {
      const { parsed } = judgement;
      const isDiscord =
        parsed.url.protocol === "https:" && parsed.port === 443 && webhookHost.test(parsed.hostname);
      const listed = parsed.address !== null && isListed(allow, parsed.address, parsed.port);
      if ((isDiscord || listed) && webhookPath.test(parsed.url.pathname)) return null;
    }
    return "This is not a Discord webhook address; it looks like https://discord.com/api/webhooks/123456/abcdef.";
  }

  async function ask(url: string, request: { method: string; body?: Uint8Array; type?: string }) {
    const { method, body, type } = request;
    const result = await http.fetch({
      url,
      purpose: "trigger",
      method,
      totalMs: 15_000,
      keepBytes: 64 * 1024,
      headers: type ? [["content-type", type]] : [],
      ...(body ? { body } : {}),
    });
    if (result.ok) return { ok: true as const, response: result.response };
    const { kind } = result.failure;
    const failure: SendFailure = { message: failureSentences[kind], transient: kind !== "guard" };
    return { ok: false as const, failure };
  }

  async function send(url: string, embed: object, picture: Buffer | null): Promise<SendResult> {
    if (refuse(url))
      return { ok: false, failure: { message: "This isn’t a Discord webhook address.", transient: false } };
    const target = new URL(url);
    target.searchParams.set("wait", "true");
    const form = new FormData();
    const message = { username: "Watchglass", embeds: [embed], allowed_mentions: { parse: [] } };
    form.set("payload_json", JSON.stringify(message));
    if (picture)
      form.set("files[0]", new Blob([new Uint8Array(picture)], { type: "image/jpeg" }), pictureName);
    const packed = new Response(form);
    const answer = await askInTurn(url, target, {
      method: "POST",
      body: await packed.bytes(),
      type: packed.headers.get("content-type") ?? "",
    });
    if (!answer.ok) return answer;
    const { id } = readJson(answer.response) as { id?: unknown };
    if (typeof id !== "string" || !/^\d{1,30}$/.test(id)) return { ok: true };
    return { ok: true, ref: `${id}/${picture ? "picture" : "text"}` };
  }

  /** Changes the text of a message; a message without its attachments in the request keeps them. */
  async function edit(url: string, ref: string, alert: Alert): Promise<SendResult> {
    const [id = "", kind] = ref.split("/");
    const target = new URL(url);
    target.pathname = `${target.pathname.replace(/\/$/, "")}/messages/${id}`;
    const message = { embeds: [alertEmbed(alert, kind === "picture")], allowed_mentions: { parse: [] } };
    const body = new TextEncoder().encode(JSON.stringify(message));
    const answer = await askInTurn(url, target, { method: "PATCH", body, type: "application/json" });
    return answer.ok ? { ok: true } : answer;
  }

  /** Requests an address of a webhook within its rate limit. */
  async function askInTurn(url: string, target: URL, request: Parameters<typeof ask>[1]) {
    const key = `discord:${new URL(url).pathname}`;
    const seconds = await pace.take(key, everyMs);
    if (seconds > 0)
      return {
        ok: false as const,
        failure: {
          message: "Discord limits how fast we may send: we’ll try again.",
          transient: true,
          retryAfterSeconds: seconds,
        },
      };
    const answer = await ask(target.href, request);
    if (!answer.ok) return answer;
    const failure = judge(answer.response);
    if (!failure) return answer;
    if (failure.retryAfterSeconds) await pace.pause(key, failure.retryAfterSeconds);
    return { ok: false as const, failure };
  }

  return {
    refuse,
    limits: { attempts: maxAttempts, share: null, text: 2_500 },
    address: ({ secret }) => (secret ? unpackAddress(secret) : null),
    async look({ url }) {
      const reason = refuse(url);
      if (reason) return { ok: false, failure: { message: reason, transient: false } };
      const answer = await ask(url, { method: "GET" });
      if (!answer.ok) return answer;
      const failure = judge(answer.response);
      if (failure) return { ok: false, failure };
      const { name } = readJson(answer.response) as { name?: unknown };
      return { ok: true, name: typeof name === "string" && name !== "" ? cut(name, 80) : "Webhook" };
    },
    sendAlert: ({ url }, alert) => send(url, alertEmbed(alert, alert.picture !== null), alert.picture),
    editAlert: ({ url }, ref, alert) => edit(url, ref, alert),
    sendDigest: ({ url }, digest) => send(url, digestEmbed(digest), null),
  };
}

const pictureName = "before-after.jpg";

function readJson({ body }: FetchResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) ?? {};
  } catch {
    return {};
  }
}

function judge(response: FetchResponse): SendFailure | null {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return null;
  const message = `Discord answered ${status}.`;
  if (status === 429) {
    const { retry_after } = readJson(response) as { retry_after?: unknown };
    const header = headers.find(([name]) => name === "retry-after")?.[1];
    const seconds = readRetryAfter(
      typeof retry_after === "number" ? String(retry_after) : header,
      new Date(),
    );
    return { message, transient: true, retryAfterSeconds: seconds ?? 5 };
  }
  if (status === 401 || status === 403 || status === 404)
    return {
      message: "Discord doesn’t know this webhook: it was deleted, or its address is incomplete.",
      transient: false,
      gone: true,
    };
  return { message, transient: status >= 500 };
}

/** Text from a page must not create formatting, links or mentions. */
const escape = (text: string) => text.replace(/[\\*_~`|>#[\]()<@-]/g, "\\$&");
/** Inside a code block, only the block's end is special. */
const escapeCode = (text: string) => text.replaceAll("`", "ˋ");
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const plain = (text: string) => escape(oneLine(text));
const inCode = (text: string) => escapeCode(oneLine(text));
const markup: Markup = {
  escape: (text, look) => (look === "code" ? escapeCode(text) : escape(text)),
  marks: {
    bold: ["**", "**"],
    struck: ["~~", "~~"],
    code: ["`", "`"],
    removed: ["~~", "~~"],
    added: ["**", "**"],
  },
};

/** A line as it counts towards the limit: with the markup of the code block that it interrupts. */
const measureLine = (shown: ShownLine) =>
  shown.sign === "~" ? `${writeLine(shown.line, markup)}\`\`\`diff\n\n\`\`\`\n` : asText(shown);

/** Puts added and removed lines into colored code blocks, and lines with changed words between them. */
function asBlocks(lines: ShownLine[]): string[] {
  const blocks: string[] = [];
  let code: string[] = [];
  const flush = () => {
    if (code.length > 0) blocks.push(`\`\`\`diff\n${code.join("\n")}\n\`\`\``);
    code = [];
  };
  for (const { sign, line } of lines) {
    if (sign !== "~") code.push(`${sign} ${inCode(line.map(({ text }) => text).join(""))}`);
    else {
      flush();
      blocks.push(writeLine(line, markup));
    }
  }
  flush();
  return blocks;
}

function alertEmbed(alert: Alert, hasPicture: boolean) {
  const [status, opinion] = [statusWords(alert), opinionWords(alert)];
  const { lines, left } = changedLines(alert, 2_200, measureLine);
  const own = templateLines(alert)?.map((line) => writeLine(line, markup));
  const note = alert.note ? [plain(cut(alert.note, 300))] : [];
  const body = own
    ? [fit(own, 3_000).text, ...note]
    : [plain(cut(alert.message, 500)), ...note, ...asBlocks(lines), ...(left > 0 ? [`… ${left} more`] : [])];
  const description = [...body, ...questionLines(alert), ...(own ? [] : [alert.link])].join("\n");
  return {
    title: cut(plain(titleText(alert, 120)), 256),
    description,
    color: colors[alert.severity],
    timestamp: alert.at.toISOString(),
    ...(isPublicLink(alert.link) ? { url: alert.link } : {}),
    fields: own
      ? []
      : [
          ...(alert.url ? [{ name: "Address", value: cut(plain(alert.url), 1_000) }] : []),
          ...(opinion ? [{ name: "Second opinion", value: plain(cut(opinion, 300)) }] : []),
          ...(alert.condition ? [{ name: "You asked for", value: plain(cut(alert.condition, 300)) }] : []),
          ...(status ? [{ name: "Status", value: status, inline: true }] : []),
          ...(alert.similarity === null
            ? []
            : [{ name: "Similarity", value: `${Math.round(alert.similarity)}%`, inline: true }]),
        ],
    ...(hasPicture ? { image: { url: `attachment://${pictureName}` } } : {}),
  };
}

/** Webhooks have no buttons, so the choices are links. */
function questionLines({ question }: Alert): string[] {
  if (!question) return [];
  return [plain(question.text), question.choices.map(({ label, link }) => `[${label}](${link})`).join(" · ")];
}

function digestEmbed(digest: Digest) {
  const lines = digest.entries.map(
    (entry) => `• **${plain(cut(entry.title, 60))}**: ${plain(entryText(entry, 120))}`,
  );
  const { text, left } = fit(lines, 3_500);
  const note = digest.note ? [plain(cut(digest.note, 300))] : [];
  const opinion = opinionWords(digest);
  const words = opinion ? [plain(cut(opinion, 300))] : [];
  const description = [...note, ...words, text, ...(left > 0 ? [`… ${left} more`] : []), digest.link].join(
    "\n",
  );
  return { title: digestTitle(digest), description, color: colors.notice };
}

function fit(lines: string[], limit: number): { text: string; left: number } {
  let length = 0;
  const fitting = lines.filter((line) => (length += line.length + 1) <= limit);
  return { text: fitting.join("\n"), left: lines.length - fitting.length };
}

/** Discord refuses embeds whose address has no dotted host name, such as localhost. */
function isPublicLink(link: string): boolean {
  return /\.[a-z]/i.test(new URL(link).hostname);
}
