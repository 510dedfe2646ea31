import type { Handlers } from "../register-routes.ts";
import { accountHandlers } from "./account.ts";
import { analyticsHandlers } from "./analytics.ts";
import { deliveryHandlers } from "./delivery.ts";
import { eventHandlers } from "./events.ts";
import { executionHandlers } from "./executions.ts";
import { groupHandlers } from "./groups.ts";
import { jobHandlers } from "./jobs.ts";
import { operationHandlers } from "./operations.ts";

export const handlers: Handlers = {
  ...accountHandlers,
  ...operationHandlers,
  ...groupHandlers,
  ...jobHandlers,
  ...executionHandlers,
  ...analyticsHandlers,
  ...eventHandlers,
  ...deliveryHandlers,
};
