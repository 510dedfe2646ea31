import { listTriggerRuns } from "#history/list-trigger-runs.ts";
import type { Handlers } from "../register-routes.ts";

export const triggerHandlers: Handlers<"listTriggerRuns"> = {
  listTriggerRuns: (app, { actor }) => listTriggerRuns(app.alerts, actor),
};
