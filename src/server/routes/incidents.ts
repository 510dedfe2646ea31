import { setIncidentNoise } from "#incidents/incident-noise.ts";
import { mergeIncidents, splitIncident } from "#incidents/move-changes.ts";
import { readIncidents } from "#incidents/read-incidents.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

type Names = "incidents" | "splitIncident" | "mergeIncidents" | "markIncidentAsNoise" | "undoIncidentNoise";

const countChanges = (count: number) => (count === 1 ? "1 change" : `${count} changes`);

export const incidentHandlers: Handlers<Names> = {
  incidents: (app, { actor, query }) =>
    app.searching.inTurn(actor.accountId, () => readIncidents(app, actor, query)),
  async splitIncident(app, { actor, params, body }) {
    const moved = await splitIncident(app, actor, params.incidentId, body.executionIds);
    return { code: "INCIDENT_SPLIT", message: `${countChanges(moved)} moved to a new incident.` };
  },
  async mergeIncidents(app, { actor, params, body }) {
    const moved = await mergeIncidents(app, actor, params.incidentId, body.incidentIds);
    return { code: "INCIDENTS_MERGED", message: `${countChanges(moved)} added to the incident.` };
  },
  async markIncidentAsNoise(app, { actor, params }) {
    const count = await setIncidentNoise(app, actor, params.incidentId, true);
    return { code: "NOISE_MARKING", message: `We’re marking ${countChanges(count)} as noise.` };
  },
  async undoIncidentNoise(app, { actor, params }) {
    const count = await setIncidentNoise(app, actor, params.incidentId, false);
    return { code: "NOISE_UNDOING", message: `We’re undoing it for ${countChanges(count)}.` };
  },
};
