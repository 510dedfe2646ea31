import { Outcome } from "./account.ts";
import { NewPushSubscription, PushEndpoint, PushKey } from "./push.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: browser push notifications. */
export const pushRoutes = {
  pushKey: {
    method: "GET",
    path: "/api/me/push",
    access: "account",
    summary: "Get the public key that a browser needs to subscribe",
    reply: PushKey,
  },
  addBrowser: {
    method: "POST",
    path: "/api/me/push",
    access: "account",
    summary: "Subscribe a browser to alerts",
    body: NewPushSubscription,
    reply: Outcome,
  },
  removeBrowser: {
    method: "DELETE",
    path: "/api/me/push",
    access: "account",
    summary: "Unsubscribe a browser from alerts",
    body: PushEndpoint,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
