import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyError } from "fastify";
import { AppError } from "#contract/errors.ts";
import { openHistory } from "#history/bring-history.ts";
import { exportAccount } from "#history/export-account.ts";
import { importJobs, isArchive } from "#jobs/import-jobs.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../register-routes.ts";

/** Lists are small; an archive brings its captures. */
const limits = { fileSize: 1024 ** 3, files: 1, fields: 0 };

export const importHandlers: Handlers<"importJobs" | "exportAccount"> = {
  async importJobs(app, { actor, query, request }) {
    const release = app.importing.take(actor.accountId);
    const folder = await mkdtemp(join(tmpdir(), "watchglass-import-"));
    try {
      const sent = await request.file({ limits }).catch((error: FastifyError) => {
        throw error.code?.startsWith("FST_")
          ? error
          : new AppError("INVALID_INPUT", "The file did not come whole.");
      });
      if (!sent) throw new AppError("INVALID_INPUT", "Send a file.", { field: "file" });
      const file = join(folder, "file");
      await pipeline(sent.file, createWriteStream(file, { mode: 0o600 }));
      if (sent.file.truncated) throw new AppError("TOO_LARGE", "The file is larger than 1 GiB.");
      return await importFile(app, actor, file, query.dryRun === "true");
    } finally {
      release();
      await rm(folder, { recursive: true, force: true });
    }
  },
  async exportAccount(app, { actor, reply }) {
    return reply
      .type("application/zip")
      .header("content-disposition", 'attachment; filename="watchglass.zip"')
      .header("cache-control", "no-store")
      .send(Readable.from(exportAccount(app.jobs, actor), { objectMode: false }));
  },
};

async function importFile(app: App, actor: { accountId: string }, file: string, dryRun: boolean) {
  if (!(await isArchive(file))) return importJobs(app.jobs, actor, { file, dryRun });
  const history = openHistory(app.jobs, actor, file);
  try {
    return await importJobs(app.jobs, actor, { file, dryRun, history });
  } finally {
    history.close();
  }
}
