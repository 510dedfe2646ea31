import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Actor } from "#contract/actor.ts";
import type { App } from "../app.ts";

type Started = { name: string; type: string; parts: AsyncIterable<string | Uint8Array> };

/**
 * Sends an export as a file. Its parts are read, packed and signed while it is sent, long after the call has left the
 * slot of its address, so an account has a limited number of exports under way.
 */
export async function sendExport(
  app: Pick<App, "exporting">,
  { actor, reply }: { actor: Actor; reply: FastifyReply },
  start: () => Promise<Started>,
): Promise<FastifyReply> {
  const release = app.exporting.take(actor.accountId);
  try {
    const { name, type, parts } = await start();
    const stream = Readable.from(parts, { objectMode: false });
    // Also if its reader goes away.
    stream.once("close", release);
    return reply
      .type(type)
      .header("content-disposition", `attachment; filename="${name}"`)
      .header("cache-control", "no-store")
      .send(stream);
  } catch (error) {
    release();
    throw error;
  }
}
