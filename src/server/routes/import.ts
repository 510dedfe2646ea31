import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyError, FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import type { ImportLine, ImportStage } from "#contract/import-line.ts";
import { openHistory } from "#history/bring-history.ts";
import { exportAccount } from "#history/export-account.ts";
import { type ImportInput, importJobs } from "#jobs/import-jobs.ts";
import type { App } from "../app.ts";
import { prepareAudit } from "../audit-calls.ts";
import { describeError } from "../errors.ts";
import type { Handlers } from "../register-routes.ts";
import { whenGone } from "../when-gone.ts";

/** Lists are small; an archive brings its captures. */
const limits = { fileSize: 1024 ** 3, files: 1, fields: 0 };

export const importHandlers: Handlers<"importJobs" | "importWithProgress" | "exportAccount"> = {
  async importJobs(app, { actor, query, request }) {
    const sent = await receive(app, actor, request);
    try {
      return await importFile(app, actor, { file: sent.file, dryRun: query.dryRun === "true" });
    } finally {
      await sent.release();
    }
  },
  async importWithProgress(app, { actor, query, request, reply }) {
    const signal = whenGone(reply);
    const writeDown = await prepareAudit(app, "importJobs", request);
    const sent = await receive(app, actor, request);
    const lines = new PassThrough();
    const write = (line: ImportLine) => void (lines.writable && lines.write(`${JSON.stringify(line)}\n`));
    const onProgress = atTimes((stage, done, total) => write({ kind: "progress", stage, done, total }));
    const wanted = { file: sent.file, dryRun: query.dryRun === "true", onProgress, signal };
    void (async () => {
      try {
        const done = await importFile(app, actor, wanted);
        await writeDown?.();
        write({ kind: "done", reply: done });
      } catch (error) {
        if (!signal.aborted)
          write({ kind: "problem", ...describeError(error as FastifyError, request).body });
      } finally {
        lines.end();
        await sent.release();
      }
    })();
    return reply
      .type("application/x-ndjson")
      .header("cache-control", "no-store")
      .header("x-accel-buffering", "no")
      .send(lines);
  },
  async exportAccount(app, { actor, reply }) {
    return reply
      .type("application/zip")
      .header("content-disposition", 'attachment; filename="watchglass.zip"')
      .header("cache-control", "no-store")
      .send(Readable.from(exportAccount(app.jobs, actor), { objectMode: false }));
  },
};

/** Takes the file that is sent to the disk; whoever has it gives it back. */
async function receive(app: App, { accountId }: { accountId: string }, request: FastifyRequest) {
  const giveTurn = app.importing.take(accountId);
  const folder = await mkdtemp(join(tmpdir(), "watchglass-import-"));
  const release = async () => {
    giveTurn();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const sent = await request.file({ limits }).catch((error: FastifyError) => {
      throw error instanceof AppError || error.code?.startsWith("FST_")
        ? error
        : new AppError("INVALID_INPUT", "The file did not come whole.");
    });
    if (!sent) throw new AppError("INVALID_INPUT", "Send a file.", { field: "file" });
    const file = join(folder, "file");
    await pipeline(sent.file, createWriteStream(file, { mode: 0o600 }));
    if (sent.file.truncated) throw new AppError("TOO_LARGE", "The file is larger than 1 GiB.");
    await request.slot?.enter();
    return { file, release };
  } catch (error) {
    await release();
    throw error;
  }
}

function importFile(app: App, actor: { accountId: string }, wanted: ImportInput & { file: string }) {
  return importJobs(app.jobs, actor, {
    ...wanted,
    openPast: (drafts) => openHistory(app.jobs, actor, wanted.file, drafts),
  });
}

/** A line for each stage's begin and end, and some between: not one for each of a hundred thousand. */
function atTimes(tell: (stage: ImportStage, done: number, total: number) => void) {
  let last = { stage: "", at: 0 };
  return (stage: ImportStage, done: number, total: number) => {
    const now = performance.now();
    if (stage === last.stage && done < total && now - last.at < 100) return;
    last = { stage, at: now };
    tell(stage, done, total);
  };
}
