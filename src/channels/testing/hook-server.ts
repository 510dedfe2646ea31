import { createHmac } from "node:crypto";
import { answer, listen, type Received } from "./listen.ts";

type Reply =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string;
      /** Answers only then. */
      until?: Promise<void>;
    }
  | "drop"
  | "hang";

/** A receiver of triggers, such as a workflow engine. */
export async function startHookServer() {
  const received: Received[] = [];
  /** Replies to the next requests, one each; afterwards the reply is 200, or 404 for the path /gone. */
  const next: Reply[] = [];
  const server = await listen(async (request, response) => {
    received.push(request);
    const usual: Reply = { status: request.path === "/gone" ? 404 : 200, body: '{"ok":true}' };
    const reply = next.shift() ?? usual;
    if (reply === "hang") return;
    if (reply === "drop") return void response.destroy();
    await reply.until;
    answer(response, reply.status, reply.body ?? "", reply.headers);
  });
  return {
    ...server,
    received,
    next,
    /** Clears the received requests and the planned replies. */
    reset() {
      received.length = 0;
      next.length = 0;
    },
  };
}

/** Checks a signature as a receiver would: by the timestamp and the raw body. */
export function hasValidSignature({ headers, body }: Received, secret: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-watchglass-signature"])) ?? [];
  return v1 === createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
}
