import { createHash } from "node:crypto";
import { createFeed, deleteFeed, readFeeds, readSecretFeed, renewFeed } from "#feeds/feeds.ts";
import { matchesTag } from "../request-handling/matches-tag.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const feedHandlers: Handlers<"listFeeds" | "createFeed" | "renewFeed" | "deleteFeed" | "feed"> = {
  listFeeds: (app, { actor }) => readFeeds(app.alerts, actor),
  async createFeed(app, { actor, body }) {
    const feed = await createFeed(app.alerts, actor, body);
    return {
      code: "FEED_CREATED",
      message: `The feed "${feed.title}" was created. Anyone with its address can read it.`,
      feed,
    };
  },
  async renewFeed(app, { actor, params }) {
    const feed = await renewFeed(app.alerts, actor, params.feedId);
    return { code: "FEED_RENEWED", message: "The old address no longer works.", feed };
  },
  async deleteFeed(app, { actor, params }) {
    await deleteFeed(app.alerts, actor, params.feedId);
    return { code: "FEED_DELETED", message: "The feed was removed." };
  },
  async feed(app, { params, query, request, reply }) {
    const { type, text } = await readSecretFeed(app.alerts, params.token, {
      format: params.format,
      withoutAlert: query.withoutAlert === "true",
    });
    const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    reply
      .type(type)
      .header("etag", tag)
      .header("cache-control", "private, no-cache")
      .header("x-robots-tag", "noindex, nofollow");
    return matchesTag(request, tag) ? reply.status(304).send() : reply.send(text);
  },
};
