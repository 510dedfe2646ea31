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
    .description("a job's whole history, or all; without --output it goes to standard output")
    .option("--all", "everything of the account as one ZIP, which import takes")
    .option("--format <format>", exportFormats.join(", "), "json")
    .option("-o, --output <file>", "where to")
    .action(async (wanted: string | undefined, options: { all?: true; format: string; output?: string }) => {
      const { all, format, output } = options;
      if ((wanted === undefined) !== (all === true))
        throw new CommandError("Name a job, or say --all.", exitCodes.usage);
      if (wanted === undefined) {
        const archive = await (await context.client()).exportAccount();
        return save(terminal, archive, output, "everything of the account");
      }
      const known = exportFormats.find((one) => one === format);
      if (!known)
        throw new CommandError(`The format is one of ${exportFormats.join(", ")}.`, exitCodes.usage);
      const client = await context.client();
      const { id } = await findJob(client, wanted);
      const answer = await client.exportJob({ params: { jobId: id }, query: { format: known } });
      const total = Number(answer.headers.get(exportTotalHeader) ?? 0);
      await save(terminal, answer, output, `${total} executions`);
    });
  program
    .command("report <job>")
    .description("a PDF of a job's changes (or of a group's, with --group); part of the Ultimate plan")
    .option("--group", "the name is a group's")
    .option("--from <time>", "ISO 8601; 30 days ago by default")
    .option("--to <time>", "ISO 8601; now by default")
    .requiredOption("-o, --output <file>", "where to")
    .action(
      async (wanted: string, options: { group?: boolean; from?: string; to?: string; output: string }) => {
        const client = await context.client();
        const groupId = options.group ? await findGroupId(client, wanted) : undefined;
        if (options.group && !groupId) throw new CommandError(`There is no group "${wanted}".`);
        const of = groupId ? { groupId } : { jobId: (await findJob(client, wanted)).id };
        const { from, to } = options;
        const { id } = await client.createReport({
          body: { ...of, ...(from ? { from } : {}), ...(to ? { to } : {}) },
        });
        for (;;) {
          const { reports } = await client.listReports();
          const state = reports.find((report) => report.id === id)?.state;
          if (state === "failed" || state === undefined)
            throw new CommandError("The report could not be made.");
          if (state === "ready") break;
          terminal.progress("The report is being drawn …");
          await sleep(500, undefined, { signal: context.signal });
        }
        await save(terminal, await client.reportPdf({ params: { reportId: id } }), options.output, "report");
      },
    );
}

/** Written aside first: a file that is there is whole. */
async function save(terminal: Terminal, answer: Response, output: string | undefined, what: string) {
  const body = Readable.fromWeb(answer.body as never);
  if (output === undefined) return pipeline(body, process.stdout, { end: false });
  const aside = `${output}.part`;
  await (await open(aside, "w")).close();
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
      createWriteStream(aside),
    );
    await rename(aside, output);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  terminal.say(`${output}: ${what}, ${bytes} bytes`);
}
