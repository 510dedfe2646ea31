import type { Handlers } from "../register-routes.ts";
import { accountHandlers } from "./account.ts";
import { analyticsHandlers } from "./analytics.ts";
import { auditHandlers } from "./audit.ts";
import { billingHandlers } from "./billing.ts";
import { changeHandlers } from "./changes.ts";
import { deliveryHandlers } from "./delivery.ts";
import { eventHandlers } from "./events.ts";
import { evidenceHandlers } from "./evidence.ts";
import { executionHandlers } from "./executions.ts";
import { exportHandlers } from "./export.ts";
import { feedHandlers } from "./feeds.ts";
import { groupHandlers } from "./groups.ts";
import { importHandlers } from "./import.ts";
import { jobHandlers } from "./jobs.ts";
import { keyHandlers } from "./keys.ts";
import { agentHandlers } from "./mcp.ts";
import { noiseHandlers } from "./noise.ts";
import { oftenHandlers } from "./often.ts";
import { operationHandlers } from "./operations.ts";
import { pushHandlers } from "./push.ts";
import { reportHandlers } from "./reports.ts";
import { ruleHandlers } from "./rules.ts";
import { shareHandlers } from "./share.ts";
import { templateHandlers } from "./templates.ts";
import { triggerHandlers } from "./triggers.ts";

export const handlers: Handlers = {
  ...accountHandlers,
  ...auditHandlers,
  ...billingHandlers,
  ...operationHandlers,
  ...groupHandlers,
  ...jobHandlers,
  ...executionHandlers,
  ...analyticsHandlers,
  ...eventHandlers,
  ...exportHandlers,
  ...reportHandlers,
  ...evidenceHandlers,
  ...shareHandlers,
  ...deliveryHandlers,
  ...noiseHandlers,
  ...oftenHandlers,
  ...ruleHandlers,
  ...keyHandlers,
  ...changeHandlers,
  ...agentHandlers,
  ...feedHandlers,
  ...importHandlers,
  ...triggerHandlers,
  ...pushHandlers,
  ...templateHandlers,
};
