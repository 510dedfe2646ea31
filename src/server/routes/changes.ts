import { listChanges } from "#history/list-changes.ts";
import { listJobs } from "#jobs/list-jobs.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const changeHandlers: Handlers<"listJobs" | "changes"> = {
  listJobs: (app, { actor, query }) => listJobs(app.jobs, actor, query),
  changes: (app, { actor, query }) => listChanges(app.alerts, actor, query),
};
