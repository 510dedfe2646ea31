import { addBrowser, removeBrowser } from "#alerts/push-subscriptions.ts";
import type { Handlers } from "../register-routes.ts";

export const pushHandlers: Handlers<"pushKey" | "addBrowser" | "removeBrowser"> = {
  pushKey: async (app) => ({ publicKey: app.pushKeys.publicKey }),
  async addBrowser(app, { actor, body }) {
    const count = await addBrowser(app.alerts, actor, body);
    return {
      code: "BROWSER_ADDED",
      message: count === 1 ? "Alerts come to this browser." : `Alerts come to ${count} browsers.`,
    };
  },
  async removeBrowser(app, { actor, body }) {
    await removeBrowser(app.alerts, actor, body.endpoint);
    return { code: "BROWSER_REMOVED", message: "No more alerts come to this browser." };
  },
};
