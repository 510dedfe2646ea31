import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { exportFormats, exportTotalHeader } from "#contract/export.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { findGroupId, findJob } from "../find-job.ts";
import type { Terminal } from "../terminal.ts";

export function addExport(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("export [job]")
    .description(
      "export the history of a job, or everything with --all; prints to standard output unless --output is set",
    )
    .option("--all", "export the whole account as a ZIP file that import accepts")
    .option("--format <format>", exportFormats.join(", "), "json")
    .option("-o, --output <file>", "file to write to")
    .action(async (wanted: string | undefined, options: { all?: true; format: string; output?: string }) => {
      const { all, format, output } = options;
      if ((wanted === undefined) !== (all === true))
        throw new CommandError("Name a job, or use --all.", exitCodes.usage);
      if (wanted === undefined) {
        const archive = await (await context.client()).stream("GET /api/export");
        return save(terminal, archive, output, "the whole account");
      }
      const known = exportFormats.find((one) => one === format);
      if (!known)
        throw new CommandError(`The format must be one of ${exportFormats.join(", ")}.`, exitCodes.usage);
      const client = await context.client();
      const { id } = await findJob(client, wanted);
      const answer = await client.stream("GET /api/jobs/:jobId/export", {
        params: { jobId: id },
        query: { format: known },
      });
      const total = Number(answer.headers.get(exportTotalHeader) ?? 0);
      await save(terminal, answer, output, `${total} executions`);
    });
  program
    .command("report <job>")
    .description("create a PDF report about a job (or, with --group, about a group); Ultimate plan")
    .option("--group", "treat the name as that of a group")
    .option("--from <time>", "start, ISO 8601 (default: 30 days ago)")
    .option("--to <time>", "end, ISO 8601 (default: now)")
    .requiredOption("-o, --output <file>", "file to write to")
    .action(
      async (wanted: string, options: { group?: boolean; from?: string; to?: string; output: string }) => {
        const client = await context.client();
        const groupId = options.group ? await findGroupId(client, wanted) : undefined;
        if (options.group && !groupId) throw new CommandError(`There is no group "${wanted}".`);
        const scope = groupId ? { groupId } : { jobId: (await findJob(client, wanted)).id };
        const { from, to } = options;
        const { id } = await client.call("POST /api/reports", {
          body: { ...scope, ...(from ? { from } : {}), ...(to ? { to } : {}) },
        });
        for (;;) {
          const { reports } = await client.call("GET /api/reports");
          const state = reports.find((report) => report.id === id)?.state;
          if (state === "failed" || state === undefined)
            throw new CommandError("The report could not be created.");
          if (state === "ready") break;
          terminal.progress("Creating the report …");
          await sleep(500, undefined, { signal: context.signal });
        }
        await save(
          terminal,
          await client.stream("GET /api/reports/:reportId/pdf", { params: { reportId: id } }),
          options.output,
          "report",
        );
      },
    );
}

/** Writes to a temporary file first, so that the output file is always complete. */
async function save(terminal: Terminal, answer: Response, output: string | undefined, what: string) {
  const body = Readable.fromWeb(answer.body as never);
  if (output === undefined) return pipeline(body, process.stdout, { end: false });
  const partial = `${output}.part`;
  await (await open(partial, "w")).close();
  let bytes = 0;
  try {
    await pipeline(
      body,
      async function* (parts: AsyncIterable<Uint8Array>) {
        for await (const part of parts) {
          bytes += part.length;
          if (terminal.isInteractive) terminal.progress(`${(bytes / 1024 / 1024).toFixed(1)} MiB`);
          yield part;
        }
      },
      createWriteStream(partial),
    );
    await rename(partial, output);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  terminal.say(`${output}: ${what}, ${bytes} bytes`);
}
