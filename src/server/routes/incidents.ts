import { readIncidents } from "#incidents/read-incidents.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const incidentHandlers: Handlers<"incidents"> = {
  incidents: (app, { actor, query }) =>
    app.searching.inTurn(actor.accountId, () => readIncidents(app, actor, query)),
};
