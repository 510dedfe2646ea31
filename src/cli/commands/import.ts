import { constants, openAsBlob } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { CallError, type Client } from "#client/create-client.ts";
import { readLines } from "#client/read-lines.ts";
import type { ImportItem, ImportReply } from "#contract/import.ts";
import { type ImportLine, importStages } from "#contract/import-line.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { oneLine, type Terminal } from "../terminal.ts";

export function addImport(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("import <file>")
    .description(
      "create jobs from a file: list of URLs, CSV, Excel (.xlsx), OPML, changedetection.io, urlwatch, webchanges, Distill, Watchglass",
    )
    .option("--dry-run", "show what would be imported, without importing it")
    .option("--json", "print JSON")
    .action(async (path: string, { dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
        throw new CommandError(`${path} cannot be read (${error.code}).`, exitCodes.usage);
      });
      if (!(await stat(path)).isFile()) throw new CommandError(`${path} isn't a file.`, exitCodes.usage);
      const client = await context.client();
      const reply = await send(client, context, path, dryRun === true);
      if (json) terminal.out(JSON.stringify(reply, null, 2));
      else {
        for (const item of reply.items) terminal.out(describe(terminal, item));
        for (const sentence of reply.channels) terminal.say(oneLine(sentence));
        terminal.say(`${reply.format}: ${summarize(reply)}.`);
      }
      if (reply.taken === 0) throw new CommandError("Nothing was imported.");
    });
}

function summarize({ taken, items, dryRun }: ImportReply): string {
  const some = taken < items.length ? `${taken} of ${items.length}` : `${taken}`;
  const jobs = items.length === 1 ? "job" : "jobs";
  return `${some} ${jobs} ${dryRun ? "can be imported" : "imported"}`;
}

/** Sends a file and shows the progress; if it is interrupted, nothing is imported. */
async function send(
  client: Client,
  { terminal, signal }: Context,
  path: string,
  dryRun: boolean,
): Promise<ImportReply> {
  const body = new FormData();
  body.set("file", await readCounted(terminal, path));
  const query = { dryRun: dryRun ? "true" : "false" } as const;
  const answer = await client.stream("POST /api/import/progress", { body, query }, { signal });
  for await (const line of readLines<ImportLine>(answer)) {
    if (line.kind === "done") return line.reply;
    if (line.kind === "problem") throw new CallError(400, line.code, line.message, line.field);
    showProgress(terminal, line.done, line.total, importStages[line.stage]);
  }
  throw new CommandError("The connection was interrupted. Check your jobs before you import again.");
}

/** Shows progress; without an interactive terminal, only a finished stage is printed. */
function showProgress(terminal: Terminal, done: number, total: number, what: string) {
  if (total > 0 && (terminal.isInteractive || done === total))
    terminal.progress(terminal.bar(done, total, what));
}

/** Reads a file while it is sent, because an archive may be large, and counts the bytes. */
async function readCounted(terminal: Terminal, path: string): Promise<File> {
  const file = new File([await openAsBlob(path)], basename(path));
  const MiB = 1024 * 1024;
  const total = Math.ceil(file.size / MiB);
  let sent = 0;
  const countBytes = () =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        sent += part.length;
        if (total > 1) showProgress(terminal, Math.ceil(sent / MiB), total, "MiB sent");
        controller.enqueue(part);
      },
    });
  const read = file.stream.bind(file);
  return Object.assign(file, { stream: () => read().pipeThrough(countBytes()) });
}

function describe(
  { style }: Terminal,
  { problem, group, name, url, frequency, more, notes }: ImportItem,
): string {
  const head = `${oneLine(group)} / ${oneLine(name)}  ${oneLine(url)}`;
  return [
    problem === null
      ? `${style("green", "+")} ${head}  every ${frequency} min`
      : `${style("red", "✗")} ${head}: ${oneLine(problem)}`,
    ...more.map((words) => `    ${oneLine(words)}`),
    ...notes.map((note) => style("gray", `    ${oneLine(note)}`)),
  ].join("\n");
}
