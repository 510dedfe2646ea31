import { addBrowser, removeBrowser } from "#channel-settings/push-subscriptions.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const pushHandlers: Handlers<"pushKey" | "addBrowser" | "removeBrowser"> = {
  pushKey: async (app) => ({ publicKey: app.pushKeys.publicKey }),
  async addBrowser(app, { actor, body }) {
    const count = await addBrowser(app.alerts, actor, body);
    return {
      code: "BROWSER_ADDED",
      message: count === 1 ? "You’ll get alerts in this browser." : `You’ll get alerts in ${count} browsers.`,
    };
  },
  async removeBrowser(app, { actor, body }) {
    await removeBrowser(app.alerts, actor, body.endpoint);
    return { code: "BROWSER_REMOVED", message: "You’ll no longer get alerts in this browser." };
  },
};
