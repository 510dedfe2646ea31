import { Command, CommanderError } from "commander";
import { CallError, createClient } from "#client/create-client.ts";
import { httpTransport } from "#client/http-transport.ts";
import { addAdd } from "./commands/add.ts";
import { addDiff } from "./commands/diff.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import { addJobs } from "./commands/jobs.ts";
import { addLog } from "./commands/log.ts";
import { addLogin } from "./commands/login.ts";
import { addMcp } from "./commands/mcp.ts";
import { addRun } from "./commands/run.ts";
import { addSite } from "./commands/site.ts";
import { addTail } from "./commands/tail.ts";
import { CommandError, type Context, exitCodes } from "./context.ts";
import { readSettings } from "./settings.ts";
import { openTerminal } from "./terminal.ts";

/** Runs the command line `watchglass`, of the version of its package; returns the exit code. */
export async function main(argv: string[], version: string): Promise<number> {
  const terminal = openTerminal(process.stdout, process.stderr);
  const interrupt = new AbortController();
  const interrupted = new Promise<"interrupted">((resolve) => {
    process.on("SIGINT", () => {
      interrupt.abort();
      resolve("interrupted");
    });
  });
  const around = process.env;
  const settings = async () => {
    const found = await readSettings(around);
    if (found) return found;
    throw new CommandError(
      'You aren’t logged in: run "watchglass login", or set WATCHGLASS_URL and WATCHGLASS_KEY.',
    );
  };
  const context: Context = {
    terminal,
    around,
    stdin: process.stdin,
    signal: interrupt.signal,
    url: async () => (await settings()).url,
    async client() {
      const { url, key } = await settings();
      return createClient(httpTransport(url, key, interrupt.signal));
    },
  };
  const program = new Command("watchglass")
    .description("Watches web pages and tells you what changed.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText(
      "after",
      `\nExit codes: 0 all is well, ${exitCodes.failed} it failed, ${exitCodes.usage} it was called wrongly, ${exitCodes.changed} something changed (run --fail-on-change), ${exitCodes.interrupted} it was interrupted.`,
    );
  for (const add of [
    addLogin,
    addJobs,
    addAdd,
    addRun,
    addDiff,
    addSite,
    addTail,
    addLog,
    addExport,
    addImport,
    addMcp,
  ])
    add(program, context);
  try {
    const running = program.parseAsync(argv, { from: "user" });
    // What still runs after an interrupt ends with the process.
    running.catch(() => undefined);
    return (await Promise.race([running, interrupted])) === "interrupted" ? exitCodes.interrupted : 0;
  } catch (error) {
    if (interrupt.signal.aborted) return exitCodes.interrupted;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (!(error instanceof CommandError || error instanceof CallError)) throw error;
    terminal.say(error.message);
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}
