import { accountRoutes } from "./account-routes.ts";
import { agentRoutes } from "./agent-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { billingRoutes } from "./billing-routes.ts";
import { changeRoutes } from "./change-routes.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { evidenceRoutes } from "./evidence-routes.ts";
import { feedRoutes } from "./feed-routes.ts";
import { importRoutes } from "./import-routes.ts";
import { jobRoutes } from "./job-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { operationRoutes } from "./operation-routes.ts";
import { pushRoutes } from "./push-routes.ts";
import { reportRoutes } from "./report-routes.ts";
import type { Route } from "./route.ts";
import { ruleRoutes } from "./rule-routes.ts";
import { templateRoutes } from "./template-routes.ts";
import { triggerRoutes } from "./trigger-routes.ts";
import { viewerRoutes } from "./viewer-routes.ts";

/** One row per endpoint: the server registers from it, the web client calls from it, OpenAPI is made of it. */
export const routes = {
  ...accountRoutes,
  ...auditRoutes,
  ...billingRoutes,
  ...operationRoutes,
  ...jobRoutes,
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
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** Paths the web application draws; every other path is answered 404. */
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
