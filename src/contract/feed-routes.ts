import { Outcome } from "./account.ts";
import { FeedAddresses, FeedParams, FeedQuery, FeedReply, FeedToken, NewFeed } from "./feed-address.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: changes as feeds, at secret addresses. */
export const feedRoutes = {
  listFeeds: {
    method: "GET",
    path: "/api/feeds",
    access: "account",
    scope: "everything",
    summary: "List the feeds with their secret addresses",
    reply: FeedAddresses,
  },
  createFeed: {
    method: "POST",
    path: "/api/feeds",
    access: "account",
    summary: "Create a feed for a job, a group or all jobs; if it exists already, that one is returned",
    body: NewFeed,
    reply: FeedReply,
  },
  renewFeed: {
    method: "POST",
    path: "/api/feeds/:feedId/renew",
    access: "account",
    summary: "Give a feed a new address; the old one stops working immediately",
    params: FeedParams,
    reply: FeedReply,
  },
  deleteFeed: {
    method: "DELETE",
    path: "/api/feeds/:feedId",
    access: "account",
    summary: "Delete a feed",
    params: FeedParams,
    reply: Outcome,
  },
  feed: {
    method: "GET",
    path: "/api/feed/:token/:format",
    access: "public",
    summary:
      "Get the newest 50 changes as Atom, RSS or JSON Feed; unknown and deleted addresses get the same reply",
    params: FeedToken,
    query: FeedQuery,
    head: true,
    reply: "application/atom+xml",
  },
} as const satisfies Record<string, Route>;
