import { z } from "zod";
import { Mail, MailSummary, Site } from "./account.ts";
import type { Route } from "./route.ts";

/** What operators and the public pages ask of an installation. */
export const operationRoutes = {
  site: {
    method: "GET",
    path: "/api/site",
    access: "public",
    summary: "What the public pages tell of this installation",
    reply: Site,
  },
  portrait: {
    method: "GET",
    path: "/api/site/portrait",
    access: "public",
    summary: "The picture of /about",
    reply: "image/*",
  },
  health: {
    method: "GET",
    path: "/healthz",
    access: "public",
    summary: "The process is alive",
    reply: z.object({ status: z.literal("ok") }),
  },
  readiness: {
    method: "GET",
    path: "/readyz",
    access: "public",
    summary: "Database and queue are reachable; 503 when not",
    reply: z.object({ status: z.literal("ready") }),
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    access: "public",
    summary: "Prometheus metrics",
    reply: "text/plain",
  },
  listMails: {
    method: "GET",
    path: "/api/mailbox",
    access: "public",
    summary: "Mails kept locally; only on loopback without SMTP_URL",
    reply: z.object({ mails: z.array(MailSummary) }),
  },
  readMail: {
    method: "GET",
    path: "/api/mailbox/:id",
    access: "public",
    summary: "One locally kept mail",
    params: z.object({ id: z.string().max(100) }),
    reply: Mail,
  },
} as const satisfies Record<string, Route>;
