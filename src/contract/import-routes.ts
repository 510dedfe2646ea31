import { ImportQuery, ImportReply } from "./import.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: import and export. */
export const importRoutes = {
  importJobs: {
    method: "POST",
    path: "/api/import",
    access: "account",
    scope: "write",
    summary:
      "Create jobs from a file (multipart field 'file'): a list of URLs, CSV, Excel (.xlsx), OPML, or a file of changedetection.io, urlwatch, webchanges, Distill or Watchglass",
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
      "Create jobs like importJobs and stream the progress as lines of JSON: kind progress (stage, done, total), and at the end done (reply) or problem (code, message); closing the connection before the end imports nothing",
    query: ImportQuery,
    bodyType: "multipart",
    reply: "application/x-ndjson",
  },
  exportAccount: {
    method: "GET",
    path: "/api/export",
    access: "account",
    // A key that only reads must not take the whole account away at once.
    scope: "everything",
    summary: "Export the account as a ZIP without secrets; importJobs can import it, including the history",
    reply: "application/zip",
  },
} as const satisfies Record<string, Route>;
