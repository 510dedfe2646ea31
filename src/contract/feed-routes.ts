import { Outcome } from "./account.ts";
import { FeedAddresses, FeedParams, FeedReply, FeedToken, NewFeed } from "./feed-address.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: changes as feeds, under secret addresses. */
export const feedRoutes = {
  listFeeds: {
    method: "GET",
    path: "/api/feeds",
    access: "account",
    scope: "everything",
    summary: "The secret addresses of feeds",
    reply: FeedAddresses,
  },
  createFeed: {
    method: "POST",
    path: "/api/feeds",
    access: "account",
    summary: "Make a feed of a job, a group, or of all; the one that is there is answered",
    body: NewFeed,
    reply: FeedReply,
  },
  renewFeed: {
    method: "POST",
    path: "/api/feeds/:feedId/renew",
    access: "account",
    summary: "Give a feed another address; the old one ends at once",
    params: FeedParams,
    reply: FeedReply,
  },
  deleteFeed: {
    method: "DELETE",
    path: "/api/feeds/:feedId",
    access: "account",
    summary: "End a feed",
    params: FeedParams,
    reply: Outcome,
  },
  feed: {
    method: "GET",
    path: "/api/feed/:token/:format",
    access: "public",
    summary: "The newest 50 changes as Atom, RSS or JSON Feed; unknown and ended addresses look alike",
    params: FeedToken,
    reply: "application/atom+xml",
  },
} as const satisfies Record<string, Route>;
