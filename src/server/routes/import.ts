import { Readable } from "node:stream";
import type { FastifyError } from "fastify";
import { AppError } from "#contract/errors.ts";
import { exportAccount } from "#history/export-account.ts";
import { importJobs } from "#jobs/import-jobs.ts";
import type { Handlers } from "../register-routes.ts";

const limits = { fileSize: 20 * 1024 * 1024, files: 1, fields: 0 };

export const importHandlers: Handlers<"importJobs" | "exportAccount"> = {
  async importJobs(app, { actor, query, request }) {
    const file = await request.file({ limits }).catch((error: FastifyError) => {
      throw error.code?.startsWith("FST_")
        ? error
        : new AppError("INVALID_INPUT", "The file did not come whole.");
    });
    if (!file) throw new AppError("INVALID_INPUT", "Send a file.", { field: "file" });
    const bytes = await file.toBuffer().catch(() => {
      throw new AppError("TOO_LARGE", "The file is larger than 20 MiB.");
    });
    return app.importing.inTurn(actor.accountId, () =>
      importJobs(app.jobs, actor, { bytes, dryRun: query.dryRun === "true" }),
    );
  },
  async exportAccount(app, { actor, reply }) {
    return reply
      .type("application/zip")
      .header("content-disposition", 'attachment; filename="watchglass.zip"')
      .header("cache-control", "no-store")
      .send(Readable.from(exportAccount(app.jobs, actor), { objectMode: false }));
  },
};
