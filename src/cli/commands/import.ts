import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import type { ImportItem } from "#contract/import.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { oneLine, type Terminal } from "../terminal.ts";

export function addImport(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("import <file>")
    .description(
      "make jobs of a file: addresses, CSV, OPML, changedetection.io, urlwatch, webchanges, Distill, Watchglass",
    )
    .option("--dry-run", "say what would become of it, and make nothing")
    .option("--json", "as JSON")
    .action(async (path: string, { dryRun, json }: { dryRun?: boolean; json?: boolean }) => {
      await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
        throw new CommandError(`${path} cannot be read (${error.code}).`, exitCodes.usage);
      });
      const body = new FormData();
      // An archive may be large: it is read as it is sent.
      body.set("file", await openAsBlob(path), basename(path));
      const client = await context.client();
      const reply = await client.importJobs({ body, query: { dryRun: dryRun ? "true" : "false" } });
      if (json) return terminal.out(JSON.stringify(reply, null, 2));
      for (const item of reply.items) terminal.out(describe(terminal, item));
      for (const sentence of reply.channels) terminal.say(sentence);
      const left = reply.items.length - reply.taken;
      terminal.say(
        `${reply.format}: ${reply.taken} ${dryRun ? "would become" : "became"} jobs${left > 0 ? `, ${left} cannot` : ""}.`,
      );
      if (reply.taken === 0) throw new CommandError("Nothing was imported.");
    });
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
