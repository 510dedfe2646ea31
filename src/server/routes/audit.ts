import { Readable } from "node:stream";
import { exportAudit, readAudit } from "#audit/read-audit.ts";
import type { AuditEntry } from "#contract/audit.ts";
import { csvCell } from "#import-export/export-csv.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const auditHandlers: Handlers<"audit" | "exportAudit"> = {
  audit: (app, { actor, query }) => readAudit(app.accounts, actor, query),
  async exportAudit(app, { actor, reply }) {
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="watchglass-activity.csv"')
      .send(Readable.from(csv(await exportAudit(app.accounts, actor)), { objectMode: false }));
  },
};

async function* csv(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  const columns = ["at", "text", "about", "actor", "address", "device"] as const;
  yield `${columns.join(",")}\r\n`;
  for await (const entry of entries) yield `${columns.map((column) => csvCell(entry[column])).join(",")}\r\n`;
}
