import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyError, FastifyRequest } from "fastify";
import { prepareAudit } from "#audit/audit-calls.ts";
import { AppError } from "#contract/errors.ts";
import type { ImportLine, ImportStage } from "#contract/import-line.ts";
import { exportAccount } from "#import-export/account-archive/export-account.ts";
import { openHistory } from "#import-export/account-archive/import-history.ts";
import { type ImportInput, importJobs } from "#import-export/import-jobs.ts";
import { abortOnDisconnect } from "#request-limits/abort-on-disconnect.ts";
import type { App } from "../app.ts";
import { describeError } from "../request-handling/errors.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { sendExport } from "./send-export.ts";

/** Lists are small, but an archive contains its captures. */
const limits = { fileSize: 1024 ** 3, files: 1, fields: 0 };

export const importHandlers: Handlers<"importJobs" | "importWithProgress" | "exportAccount"> = {
  async importJobs(app, { actor, query, request }) {
    const sent = await receiveUpload(app, actor, request);
    try {
      return await importFile(app, actor, { file: sent.file, dryRun: query.dryRun === "true" });
    } finally {
      await sent.release();
    }
  },
  async importWithProgress(app, { actor, query, request, reply }) {
    const signal = abortOnDisconnect(reply);
    const writeAudit = await prepareAudit(app, "importJobs", request);
    const sent = await receiveUpload(app, actor, request);
    const lines = new PassThrough();
    const write = (line: ImportLine) => void (lines.writable && lines.write(`${JSON.stringify(line)}\n`));
    const onProgress = throttle((stage, done, total) => write({ kind: "progress", stage, done, total }));
    const wanted = { file: sent.file, dryRun: query.dryRun === "true", onProgress, signal };
    void (async () => {
      try {
        const done = await importFile(app, actor, wanted);
        await writeAudit?.();
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
    return sendExport(app, { actor, reply }, async () => ({
      name: "watchglass.zip",
      type: "application/zip",
      parts: exportAccount(app.jobs, actor),
    }));
  },
};

/** Writes the uploaded file to disk. The caller must release it. */
async function receiveUpload(app: App, { accountId }: { accountId: string }, request: FastifyRequest) {
  const releaseSlot = app.importing.take(accountId);
  const folder = await mkdtemp(join(tmpdir(), "watchglass-import-"));
  const release = async () => {
    releaseSlot();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const sent = await request.file({ limits }).catch((error: FastifyError) => {
      throw error instanceof AppError || error.code?.startsWith("FST_")
        ? error
        : new AppError("INVALID_INPUT", "The upload is incomplete. Try again.");
    });
    if (!sent) throw new AppError("INVALID_INPUT", "Choose a file.", { field: "file" });
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
    openImportedHistory: (drafts) => openHistory(app.jobs, actor, wanted.file, drafts),
  });
}

/** Reports the start and end of each stage, and between them one of its many thousand steps every 100 ms at most. */
function throttle(report: (stage: ImportStage, done: number, total: number) => void) {
  let last = { stage: "", at: 0 };
  return (stage: ImportStage, done: number, total: number) => {
    const now = performance.now();
    if (stage === last.stage && done < total && now - last.at < 100) return;
    last = { stage, at: now };
    report(stage, done, total);
  };
}
