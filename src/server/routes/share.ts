import type { FastifyReply } from "fastify";
import {
  listShares,
  openSharedImage,
  readShare,
  readSharedHtml,
  revokeShare,
  shareComparison,
} from "#history/share-comparison.ts";
import type { Handlers } from "../register-routes.ts";
import { asCapture } from "./executions.ts";

/** Asked again each time, so that a revoked link is gone at once, and never found by a search engine. */
function asShared(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "private, no-cache").header("x-robots-tag", "noindex, nofollow");
}

export const shareHandlers: Handlers<
  "createShare" | "listShares" | "share" | "deleteShare" | "shareImage" | "shareHtml"
> = {
  async createShare(app, { actor, params, body }) {
    const made = await shareComparison(app.jobs, actor, params.jobId, body);
    return { ...made, url: `${app.config.baseUrl}/share/${made.token}` };
  },
  async listShares(app, { actor }) {
    return { shares: await listShares(app.jobs, actor) };
  },
  async share(app, { params, reply }) {
    asShared(reply);
    return readShare(app.jobs, params.token);
  },
  async deleteShare(app, { actor, params }) {
    await revokeShare(app.jobs, actor, params.token);
    return { code: "SHARE_REVOKED", message: "The link no longer works." };
  },
  async shareImage(app, { params, request, reply }) {
    const { tag, read } = await openSharedImage(app.jobs, params.token, params.side);
    asShared(asCapture(reply, "image/png")).header("etag", `"${tag}"`);
    if (request.headers["if-none-match"] === `"${tag}"`) return reply.status(304).send();
    return reply.send(Buffer.from(await read()));
  },
  async shareHtml(app, { params, reply }) {
    const html = await readSharedHtml(app.jobs, params.token, params.side);
    return asShared(asCapture(reply, "text/plain; charset=utf-8")).send(html);
  },
};
