import type { FastifyReply } from "fastify";
import {
  listShares,
  openSharedImage,
  readShare,
  readSharedHtml,
  revokeShare,
  shareComparison,
} from "#sharing/share-comparison.ts";
import { matchesTag } from "../request-handling/matches-tag.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { setCaptureHeaders } from "./executions.ts";

/** Makes browsers ask again each time, so that a revoked link ends at once, and keeps search engines away. */
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
    asShared(setCaptureHeaders(reply, "image/png")).header("etag", `"${tag}"`);
    if (matchesTag(request, `"${tag}"`)) return reply.status(304).send();
    return reply.send(Buffer.from(await read()));
  },
  async shareHtml(app, { params, reply }) {
    const html = await readSharedHtml(app.jobs, params.token, params.side);
    return asShared(setCaptureHeaders(reply, "text/plain; charset=utf-8")).send(html);
  },
};
