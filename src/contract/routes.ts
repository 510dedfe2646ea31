import { accountRoutes } from "./account-routes.ts";
import { agentRoutes } from "./agent-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { billingRoutes } from "./billing-routes.ts";
import { bulkRoutes } from "./bulk-routes.ts";
import { changeRoutes } from "./change-routes.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { evidenceRoutes } from "./evidence-routes.ts";
import { feedRoutes } from "./feed-routes.ts";
import { identityRoutes } from "./identity-routes.ts";
import { importRoutes } from "./import-routes.ts";
import { incidentRoutes } from "./incident-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { liveViewRoutes } from "./live-view-routes.ts";
import { operationRoutes } from "./operation-routes.ts";
import { proxyRoutes } from "./proxy-routes.ts";
import { pushRoutes } from "./push-routes.ts";
import { reportRoutes } from "./report-routes.ts";
import type { Route } from "./route.ts";
import { ruleRoutes } from "./rule-routes.ts";
import { savedViewRoutes } from "./saved-view-routes.ts";
import { searchAlertRoutes } from "./search-alert-routes.ts";
import { searchRoutes } from "./search-routes.ts";
import { secondOpinionRoutes } from "./second-opinion-routes.ts";
import { siteRoutes } from "./site-routes.ts";
import { templateRoutes } from "./template-routes.ts";
import { triggerRoutes } from "./trigger-routes.ts";
import { viewerRoutes } from "./viewer-routes.ts";

/** One row per endpoint. The server's routes, the client and the OpenAPI document are all made from this table. */
export const routes = {
  ...accountRoutes,
  ...auditRoutes,
  ...billingRoutes,
  ...operationRoutes,
  ...jobRoutes,
  ...bulkRoutes,
  ...reportRoutes,
  ...evidenceRoutes,
  ...viewerRoutes,
  ...deliveryRoutes,
  ...ruleRoutes,
  ...keyRoutes,
  ...changeRoutes,
  ...agentRoutes,
  ...feedRoutes,
  ...importRoutes,
  ...triggerRoutes,
  ...pushRoutes,
  ...templateRoutes,
  ...proxyRoutes,
  ...identityRoutes,
  ...liveViewRoutes,
  ...savedViewRoutes,
  ...secondOpinionRoutes,
  ...searchRoutes,
  ...siteRoutes,
  ...searchAlertRoutes,
  ...incidentRoutes,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** Paths that the web application renders; every other path gets a 404. */
export const webPaths = [
  "/",
  "/login",
  "/register",
  "/register/finished/:email",
  "/recover",
  "/recover/:token",
  "/account/activate/:token",
  "/dashboard",
  "/share/:token",
  "/terms-and-conditions",
  "/privacy",
  "/about",
  "/mailbox",
] as const;

/** Pages that come with their own markup, and the file each of them is in; the others are drawn in the browser. */
export const drawnPages: Partial<Record<string, string>> = { "/": "landing.html", "/login": "login.html" };
