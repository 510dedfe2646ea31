import type { FastifyReply } from "fastify";

/** Ends what is done for a caller who has left. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
}
