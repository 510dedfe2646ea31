import type { FastifyReply } from "fastify";

/** Returns a signal that aborts when the caller disconnects, to end the work for it. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => controller.abort());
  return controller.signal;
}
