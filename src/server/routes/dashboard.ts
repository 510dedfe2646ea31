import { readResume } from "#dashboard/read-dashboard.ts";
import { listStatistics } from "#storage/dashboard.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const analyticsHandlers: Handlers<"jobStatistics" | "resume"> = {
  jobStatistics: (app, { actor }) => listStatistics(app.db, actor.accountId),
  resume: (app, { actor }) => readResume(app.jobs, actor),
};
