import { createHash } from "node:crypto";
import { createFeed, deleteFeed, readFeedOf, readFeeds, renewFeed } from "#history/feeds.ts";
import type { Handlers } from "../register-routes.ts";

export const feedHandlers: Handlers<"listFeeds" | "createFeed" | "renewFeed" | "deleteFeed" | "feed"> = {
  listFeeds: (app, { actor }) => readFeeds(app.alerts, actor),
  async createFeed(app, { actor, body }) {
    const feed = await createFeed(app.alerts, actor, body);
    return {
      code: "FEED_CREATED",
      message: `The feed "${feed.title}" can be read by whoever has its address.`,
      feed,
    };
  },
  async renewFeed(app, { actor, params }) {
    const feed = await renewFeed(app.alerts, actor, params.feedId);
    return { code: "FEED_RENEWED", message: "The old address does not work any more.", feed };
  },
  async deleteFeed(app, { actor, params }) {
    await deleteFeed(app.alerts, actor, params.feedId);
    return { code: "FEED_DELETED", message: "The feed is ended." };
  },
  async feed(app, { params, request, reply }) {
    const { type, text } = await readFeedOf(app.alerts, params.token, params.format);
    const tag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    reply
      .type(type)
      .header("etag", tag)
      .header("cache-control", "private, no-cache")
      .header("x-robots-tag", "noindex, nofollow");
    return request.headers["if-none-match"] === tag ? reply.status(304).send() : reply.send(text);
  },
};
