import { z } from "zod";
import { Mail, MailSummary, Site } from "./account.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: health, metrics, facts for the public pages, and the local mailbox. */
export const operationRoutes = {
  site: {
    method: "GET",
    path: "/api/site",
    access: "public",
    summary: "Get what the public pages show about this installation",
    reply: Site,
  },
  portrait: {
    method: "GET",
    path: "/api/site/portrait",
    access: "public",
    summary: "Get the picture that /about shows",
    reply: "image/*",
  },
  health: {
    method: "GET",
    path: "/healthz",
    access: "public",
    summary: "Check whether the process is alive",
    reply: z.object({ status: z.literal("ok") }),
  },
  readiness: {
    method: "GET",
    path: "/readyz",
    access: "public",
    summary:
      "Check whether the process can do its work; 503 if the database or the queue is unavailable, or, for a worker, the storage for captures",
    reply: z.object({
      status: z.literal("ready"),
      problem: z.string().optional().describe("What doesn't work although calls are answered, as a sentence"),
    }),
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    access: "public",
    summary: "Get metrics in the Prometheus format",
    reply: "text/plain",
  },
  listMails: {
    method: "GET",
    path: "/api/mailbox",
    access: "public",
    summary: "List the emails that are stored locally; only on loopback and without SMTP_URL",
    reply: z.object({ mails: z.array(MailSummary) }),
  },
  readMail: {
    method: "GET",
    path: "/api/mailbox/:id",
    access: "public",
    summary: "Read an email that is stored locally",
    params: z.object({ id: z.string().max(100) }),
    reply: Mail,
  },
} as const satisfies Record<string, Route>;
