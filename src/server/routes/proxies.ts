import { createProxy, deleteProxy, readProxies, updateProxy } from "#proxies/manage-proxies.ts";
import { testProxy } from "#proxies/test-proxy.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const proxyHandlers: Handlers<
  "listProxies" | "createProxy" | "updateProxy" | "deleteProxy" | "testProxy"
> = {
  listProxies: async (app, { actor }) => ({
    proxies: await readProxies(app.proxies, actor),
    mayLookUpNames: app.proxies.mayLookUpNames,
    hasEchoUrl: app.proxies.echoUrl !== null,
  }),
  async createProxy(app, { actor, body }) {
    const proxy = await createProxy(app.proxies, actor, body);
    return { code: "PROXY_CREATED", message: `The proxy “${proxy.name}” is ready to be chosen.`, proxy };
  },
  async updateProxy(app, { actor, params, body }) {
    const proxy = await updateProxy(app.proxies, actor, params.proxyId, body);
    return { code: "PROXY_UPDATED", message: `The proxy “${proxy.name}” is saved.`, proxy };
  },
  async deleteProxy(app, { actor, params }) {
    const name = await deleteProxy(app.proxies, actor, params.proxyId);
    return { code: "PROXY_DELETED", message: `The proxy “${name}” is deleted.` };
  },
  async testProxy(app, { actor, params, request }) {
    const release = app.trying.take(actor.accountId);
    // A proxy may never answer, and other callers of this address must not wait for it.
    request.slot?.leave();
    try {
      return { code: "PROXY_TESTED", ...(await testProxy(app.proxies, actor, params.proxyId)) };
    } finally {
      release();
    }
  },
};
