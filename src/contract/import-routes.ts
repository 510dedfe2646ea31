import { ImportQuery, ImportReply } from "./import.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: moving in and out. */
export const importRoutes = {
  importJobs: {
    method: "POST",
    path: "/api/import",
    access: "account",
    scope: "write",
    summary:
      "Make jobs of a file (multipart, field 'file'): addresses, CSV, OPML, changedetection.io, urlwatch, webchanges, Distill, Watchglass",
    query: ImportQuery,
    bodyType: "multipart",
    reply: ImportReply,
  },
  importWithProgress: {
    method: "POST",
    path: "/api/import/progress",
    access: "account",
    scope: "write",
    summary:
      "As importJobs, told as it goes: lines of JSON with kind progress (stage, done, total), the last of kind done (reply) or problem (code, message); closing it before then imports nothing",
    query: ImportQuery,
    bodyType: "multipart",
    reply: "application/x-ndjson",
  },
  exportAccount: {
    method: "GET",
    path: "/api/export",
    access: "account",
    summary: "Everything of the account as one ZIP, without secrets; importJobs takes it, history included",
    reply: "application/zip",
  },
} as const satisfies Record<string, Route>;
