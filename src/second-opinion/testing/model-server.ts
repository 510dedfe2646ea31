import type { ServerResponse } from "node:http";
import { answer, listen, type Received } from "#channels/testing/listen.ts";

type Asked = {
  /** The texts between the markers, as the model sees them. */
  blocks: { id: string; sign: string; text: string }[];
  body: { model: string; messages: { role: string; content: string }[]; response_format?: { type: string } };
  received: Received;
};
/** A text is the model's answer inside a chat completion; the rest is what broken and hostile endpoints do. */
type Reply =
  | string
  | { answer: string; usage: unknown }
  | { status: number; headers?: Record<string, string>; body?: string }
  | { bytes: number }
  | { does: "hang" | "drop" | "endless" };

/** An endpoint that speaks OpenAI's chat completions on loopback; `state.reply` decides what it says. */
export async function startModelServer() {
  const asked: Asked[] = [];
  const state: { reply: (asked: Asked) => Reply | Promise<Reply> } = { reply: answerWell };
  const server = await listen(async (received, response) => {
    const request = readRequest(received);
    asked.push(request);
    send(response, await state.reply(request));
  });
  return {
    ...server,
    asked,
    state,
    reset() {
      asked.length = 0;
      state.reply = answerWell;
    },
  };
}

function readRequest(received: Received): Asked {
  const body = JSON.parse(received.body.toString()) as Asked["body"];
  const text = body.messages.at(-1)?.content ?? "";
  const marker = /^=[\da-f]{24}/.exec(text)?.[0] ?? "";
  const blocks = text.split(`\n${marker} `).flatMap((part) => {
    const found = /^block (b\d+), (\w+)\n([\s\S]*)$/.exec(part);
    return found ? [{ id: found[1] ?? "", sign: found[2] ?? "", text: found[3] ?? "" }] : [];
  });
  return { blocks, body, received };
}

/** An answer of the asked form about all blocks, with a sentence about the first one. */
export const judgeAs =
  (opinion: string, sentence = "The text changed.") =>
  ({ blocks }: Pick<Asked, "blocks">): string => {
    const [first] = blocks;
    const says =
      first && sentence === "The text changed." ? `The ${first.text.split(" ")[0]} changed.` : sentence;
    return JSON.stringify({ class: opinion, blocks: blocks.map(({ id }) => id), sentence: says });
  };

const answerWell = judgeAs("important");

function send(response: ServerResponse, reply: Reply): void {
  if (typeof reply === "object" && "does" in reply) return misbehave(response, reply.does);
  if (typeof reply === "object" && "bytes" in reply) return sendBytes(response, reply.bytes);
  if (typeof reply === "object" && "status" in reply)
    return answer(response, reply.status, reply.body ?? "{}", reply.headers);
  const { answer: content, usage } =
    typeof reply === "string"
      ? { answer: reply, usage: { prompt_tokens: 400, completion_tokens: 20 } }
      : reply;
  answer(response, 200, { choices: [{ message: { role: "assistant", content } }], usage });
}

function misbehave(response: ServerResponse, does: "hang" | "drop" | "endless"): void {
  if (does === "hang") return;
  if (does === "drop") return void response.destroy();
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}

/** As fast as the reader takes them. */
function sendBytes(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(256 * 1024, "x");
  let left = bytes;
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once("drain", write);
    }
    response.end();
  };
  write();
}
