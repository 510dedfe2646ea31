import { Outcome } from "./account.ts";
import { NewProxy, Proxies, ProxyParams, ProxyReply } from "./proxy.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: the proxies through which pages are captured. */
export const proxyRoutes = {
  listProxies: {
    method: "GET",
    path: "/api/proxies",
    access: "account",
    summary: "List the proxies that the account's jobs may use, with their health",
    reply: Proxies,
  },
  createProxy: {
    method: "POST",
    path: "/api/proxies",
    access: "account",
    summary: "Add a proxy, through which pages are captured",
    body: NewProxy,
    reply: ProxyReply,
  },
  updateProxy: {
    method: "PUT",
    path: "/api/proxies/:proxyId",
    access: "account",
    summary: "Change a proxy; without a password it keeps its own, unless its address changes",
    params: ProxyParams,
    body: NewProxy,
    reply: ProxyReply,
  },
  deleteProxy: {
    method: "DELETE",
    path: "/api/proxies/:proxyId",
    access: "account",
    summary: "Delete a proxy that no job and no group uses",
    params: ProxyParams,
    reply: Outcome,
  },
  testProxy: {
    method: "POST",
    path: "/api/proxies/:proxyId/test",
    access: "account",
    scope: "write",
    summary: "Request the echo URL through a proxy and store how it did",
    params: ProxyParams,
    reply: ProxyReply,
  },
} as const satisfies Record<string, Route>;
