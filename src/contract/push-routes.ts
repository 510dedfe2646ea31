import { Outcome } from "./account.ts";
import { NewPushSubscription, PushEndpoint, PushKey } from "./push.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: notifications of the browser. */
export const pushRoutes = {
  pushKey: {
    method: "GET",
    path: "/api/me/push",
    access: "account",
    summary: "The key that a browser subscribes with",
    reply: PushKey,
  },
  addBrowser: {
    method: "POST",
    path: "/api/me/push",
    access: "account",
    summary: "Send alerts to a browser as well",
    body: NewPushSubscription,
    reply: Outcome,
  },
  removeBrowser: {
    method: "DELETE",
    path: "/api/me/push",
    access: "account",
    summary: "Send no more alerts to a browser",
    body: PushEndpoint,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
