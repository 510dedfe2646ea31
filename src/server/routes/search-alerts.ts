import {
  deleteSearchAlert,
  readSearchAlerts,
  saveSearchAlert,
  trySearchAlert,
} from "#search-alerts/manage-search-alerts.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

type Names =
  | "searchAlerts"
  | "createSearchAlert"
  | "updateSearchAlert"
  | "deleteSearchAlert"
  | "trySearchAlert";

export const searchAlertHandlers: Handlers<Names> = {
  searchAlerts: async (app, { actor }) => ({ alerts: await readSearchAlerts(app, actor) }),
  async createSearchAlert(app, { actor, body }) {
    await saveSearchAlert(app, actor, body);
    return { code: "SEARCH_ALERT_SAVED", message: `You’ll get an alert when “${body.name}” first appears.` };
  },
  trySearchAlert: (app, { actor, body }) =>
    app.searching.inTurn(actor.accountId, () => trySearchAlert(app, actor, body)),
  async updateSearchAlert(app, { actor, params, body }) {
    await saveSearchAlert(app, actor, body, params.alertId);
    return { code: "SEARCH_ALERT_SAVED", message: `The search alert “${body.name}” is saved.` };
  },
  async deleteSearchAlert(app, { actor, params }) {
    await deleteSearchAlert(app, actor, params.alertId);
    return { code: "SEARCH_ALERT_DELETED", message: "The search alert is deleted." };
  },
};
