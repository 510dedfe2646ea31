import { createHmac } from "node:crypto";
import { answer, listen, type Received } from "./listen.ts";

type Reply = { status: number; headers?: Record<string, string>; body?: string } | "drop" | "hang";

/** A receiver of triggers, as a workflow engine would be one. */
export async function startHookServer() {
  const received: Received[] = [];
  /** What the next requests get, one each; then 200. */
  const next: Reply[] = [];
  const server = await listen((request, response) => {
    received.push(request);
    const reply = next.shift() ?? { status: 200, body: '{"ok":true}' };
    if (reply === "hang") return;
    if (reply === "drop") response.destroy();
    else answer(response, reply.status, reply.body ?? "", reply.headers);
  });
  return {
    ...server,
    received,
    next,
    /** Forgets what was received and undoes what a test arranged. */
    reset() {
      received.length = 0;
      next.length = 0;
    },
  };
}

/** Checks a signature as a receiver would: by the timestamp and the raw body. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-watchglass-signature"])) ?? [];
  return v1 === createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
}
