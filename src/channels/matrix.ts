import { createHash } from "node:crypto";
import { escapeHtml } from "#contract/escape-html.ts";
import type { Alert } from "#message-templates/alert.ts";
import {
  alertText,
  changedLines,
  digestText,
  facts,
  prefixSign,
  templateLines,
  titleText,
} from "#message-templates/alert-text.ts";
import { cut, type Markup, writeLine } from "#message-templates/rich-text.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { GivenChannel } from "./channel.ts";
import { type EnteredAddress, unpackAddress } from "./entered-address.ts";
import { judgeAnswer, readJson, requestReceiver, sendWithinRate } from "./request-receiver.ts";
import { maxAttempts, type SendFailure, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";

const receiver = {
  name: "Matrix",
  gone: [401, 403, 404],
  goneWords: "We can’t post to the Matrix room: the token was revoked, or its user is not in the room.",
};

/** Writes to a room of a Matrix homeserver as the user whose access token was entered. */
export function openMatrix(options: { http: GuardedFetch; pace: SendRate }): GivenChannel {
  const { http } = options;
  const root = ({ url }: EnteredAddress) => `${url.replace(/\/{1,9}$/, "")}/_matrix/client/v3`;
  const headers = ({ token = "" }: EnteredAddress): [string, string][] => [
    ["authorization", `Bearer ${token}`],
  ];
  const room = ({ room = "" }: EnteredAddress) => encodeURIComponent(room);

  async function send(address: EnteredAddress & { id?: string }, content: object): Promise<SendResult> {
    // The homeserver accepts a transaction id only once, even if it is sent again.
    const transaction = encodeURIComponent(address.id ?? crypto.randomUUID());
    const paced = { ...receiver, key: `matrix:${address.url}:${address.room}`, everyMs: 1_000 };
    const result = await sendWithinRate(options, paced, {
      url: `${root(address)}/rooms/${room(address)}/send/m.room.message/${transaction}`,
      method: "PUT",
      type: "application/json",
      body: JSON.stringify({ msgtype: "m.text", ...content }),
      headers: headers(address),
    });
    if (!result.ok) return result;
    const { event_id: event } = readJson(result.response);
    return { ok: true, ...(typeof event === "string" ? { ref: `${event} ${authorOf(address)}` } : {}) };
  }

  async function edit(address: EnteredAddress & { id?: string }, ref: string, alert: Alert) {
    const [event = "", author] = ref.split(" ");
    if (author !== authorOf(address)) {
      const message = "The message is in another room, or another user posted it.";
      return { ok: false as const, failure: { message, transient: false } };
    }
    const content = { msgtype: "m.text", ...alertContent(alert) };
    return send(address, {
      ...content,
      body: `* ${content.body}`,
      "m.new_content": content,
      "m.relates_to": { rel_type: "m.replace", event_id: event },
    });
  }

  return {
    limits: { attempts: maxAttempts, share: null, text: 8_000 },
    address: ({ secret, id }) => (secret ? { ...unpackAddress(secret), id } : null),
    async look(address) {
      const problem = refuse(address);
      if (problem) return { ok: false, failure: { message: problem, transient: false } };
      const ask = (path: string) =>
        requestReceiver(http, { url: `${root(address)}${path}`, method: "GET", headers: headers(address) });
      const identity = await ask("/account/whoami");
      if (!identity.ok) return identity;
      const failure = explainRefusal(
        judgeAnswer(identity.response, receiver),
        "The homeserver rejects this access token.",
      );
      if (failure) return { ok: false, failure };
      if (typeof readJson(identity.response).user_id !== "string")
        return {
          ok: false,
          failure: { message: "The server’s answer isn’t from Matrix.", transient: false },
        };
      const joined = await ask("/joined_rooms");
      const rooms = joined.ok ? readJson(joined.response).joined_rooms : undefined;
      if (!Array.isArray(rooms) || !rooms.includes(address.room)) {
        const message = "The user of this token is not in this room: invite it and let it join.";
        return { ok: false, failure: { message, transient: false } };
      }
      const named = await ask(`/rooms/${room(address)}/state/m.room.name`);
      const name = named.ok ? readJson(named.response).name : undefined;
      return { ok: true, name: cut(typeof name === "string" && name ? name : String(address.room), 80) };
    },
    sendAlert: (address, alert) => send(address, alertContent(alert)),
    editAlert: edit,
    sendDigest(address, digest) {
      const { title, text } = digestText(digest, 8_000);
      const body = `${title}\n${text}\n${digest.link}`;
      return send(address, { body });
    },
  };
}

/** The room and the token that a message was posted with: only its author may edit it. */
const authorOf = ({ url, room = "", token = "" }: EnteredAddress) =>
  createHash("sha256").update([url, room, token].join("\n")).digest("base64url").slice(0, 22);

function refuse({ url, room = "", token = "" }: EnteredAddress): string | null {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search)
    return "This is not a homeserver's address; it looks like https://matrix.org.";
  if (!/^!\S{1,250}$/.test(room)) return "The room's id is missing; it looks like !abc:matrix.org.";
  return /^\S{1,1000}$/.test(token) ? null : "The access token is missing.";
}

function explainRefusal(failure: SendFailure | null, words: string): SendFailure | null {
  return failure?.gone ? { message: words, transient: false } : failure;
}

const markup: Markup = {
  escape: escapeHtml,
  marks: {
    bold: ["<strong>", "</strong>"],
    struck: ["<del>", "</del>"],
    code: ["<code>", "</code>"],
    removed: ["<del>", "</del>"],
    added: ["<strong>", "</strong>"],
  },
};

function alertContent(alert: Alert) {
  const { lines, left } = changedLines(alert, 8_000);
  const own = templateLines(alert);
  const htmlLines = (own ?? lines.map(prefixSign)).map((line) => writeLine(line, markup));
  const title = titleText(alert, 200);
  return {
    body: [title, alertText(alert, 9_000), ...(own ? [] : [alert.link])].join("\n"),
    format: "org.matrix.custom.html",
    formatted_body: [
      `<strong>${escapeHtml(title)}</strong>${own ? "" : `<br>${escapeHtml(cut(alert.message, 500))}`}`,
      ...(alert.note ? [`<p>${escapeHtml(cut(alert.note, 300))}</p>`] : []),
      ...(htmlLines.length > 0 ? [`<p>${htmlLines.join("<br>")}</p>`] : []),
      ...(left > 0 && !own ? [`<p>… ${left} more</p>`] : []),
      ...(own ? [] : [`<p>${escapeHtml(facts(alert).join(" · "))}</p>`]),
      ...(alert.question
        ? [
            `<p>${escapeHtml(alert.question.text)} ${alert.question.choices
              .map(({ label, link }) => `<a href="${escapeHtml(link)}">${escapeHtml(label)}</a>`)
              .join(" · ")}</p>`,
          ]
        : []),
      `<p><a href="${escapeHtml(alert.link)}">Open</a></p>`,
    ].join(""),
  };
}
