import type { FastifyInstance } from "fastify";
import { callerKey } from "#request-limits/limit-attempts.ts";
import { type ResponseRules, watchResponses } from "#request-limits/watch-responses.ts";

/** Smaller responses fit into what the system itself holds for a connection. */
const smallResponse = 64 * 1024;

/** Cuts off responses that fill the memory because nobody reads them. */
export function cutOffUnread(server: FastifyInstance, rules: Partial<ResponseRules> = {}): void {
  const responses = watchResponses(rules);
  server.addHook("onSend", async ({ ip, raw }, reply, payload) => {
    // A stream waits for its reader, so it isn't in memory.
    const isHeld = typeof payload === "string" || Buffer.isBuffer(payload);
    const bytes = isHeld ? Buffer.byteLength(payload) : 0;
    // The request's socket, because a response that waits behind another one has none yet. Calls of this process to
    // itself have no real one.
    const { socket } = raw;
    if (bytes < smallResponse || !("setTimeout" in socket)) return;
    const cutOff = () => void socket.destroy();
    // The time begins again with each part that is sent.
    reply.raw.setTimeout(responses.stalledMs, cutOff);
    const end = responses.begin(callerKey(ip), bytes, cutOff);
    reply.raw.once("finish", end);
    reply.raw.once("close", end);
  });
}
