import { healthHandlers } from "../observability/health-routes.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { accountHandlers } from "./account.ts";
import { auditHandlers } from "./audit.ts";
import { billingHandlers } from "./billing.ts";
import { bulkHandlers } from "./bulk-actions.ts";
import { changeHandlers } from "./changes.ts";
import { deliveryHandlers } from "./channels.ts";
import { analyticsHandlers } from "./dashboard.ts";
import { eventHandlers } from "./events.ts";
import { evidenceHandlers } from "./evidence.ts";
import { executionHandlers } from "./executions.ts";
import { exportHandlers } from "./export.ts";
import { feedHandlers } from "./feeds.ts";
import { frequentChangeHandlers } from "./frequent-changes.ts";
import { groupHandlers } from "./groups.ts";
import { identityHandlers } from "./identities.ts";
import { importHandlers } from "./import.ts";
import { incidentHandlers } from "./incidents.ts";
import { jobHandlers } from "./jobs.ts";
import { keyHandlers } from "./keys.ts";
import { liveViewHandlers } from "./live-views.ts";
import { agentHandlers } from "./mcp.ts";
import { noiseHandlers } from "./noise.ts";
import { proxyHandlers } from "./proxies.ts";
import { pushHandlers } from "./push.ts";
import { reportHandlers } from "./reports.ts";
import { ruleHandlers } from "./rules.ts";
import { savedViewHandlers } from "./saved-views.ts";
import { searchHandlers } from "./search.ts";
import { searchAlertHandlers } from "./search-alerts.ts";
import { secondOpinionHandlers } from "./second-opinion.ts";
import { shareHandlers } from "./share.ts";
import { siteHandlers } from "./site.ts";
import { siteInventoryHandlers } from "./sites.ts";
import { templateHandlers } from "./templates.ts";
import { triggerHandlers } from "./triggers.ts";

export const handlers: Handlers = {
  ...accountHandlers,
  ...auditHandlers,
  ...billingHandlers,
  ...healthHandlers,
  ...siteHandlers,
  ...siteInventoryHandlers,
  ...groupHandlers,
  ...jobHandlers,
  ...bulkHandlers,
  ...executionHandlers,
  ...analyticsHandlers,
  ...eventHandlers,
  ...liveViewHandlers,
  ...exportHandlers,
  ...reportHandlers,
  ...evidenceHandlers,
  ...shareHandlers,
  ...deliveryHandlers,
  ...noiseHandlers,
  ...frequentChangeHandlers,
  ...ruleHandlers,
  ...keyHandlers,
  ...changeHandlers,
  ...agentHandlers,
  ...feedHandlers,
  ...importHandlers,
  ...triggerHandlers,
  ...pushHandlers,
  ...templateHandlers,
  ...proxyHandlers,
  ...identityHandlers,
  ...savedViewHandlers,
  ...secondOpinionHandlers,
  ...searchHandlers,
  ...searchAlertHandlers,
  ...incidentHandlers,
};
