import { Command, CommanderError } from "commander";
import { CallError, createClient } from "#client/create-client.ts";
import { overHttp } from "#client/over-http.ts";
import { addAdd } from "./commands/add.ts";
import { addDiff } from "./commands/diff.ts";
import { addExport } from "./commands/export.ts";
import { addImport } from "./commands/import.ts";
import { addJobs } from "./commands/jobs.ts";
import { addLogin } from "./commands/login.ts";
import { addMcp } from "./commands/mcp.ts";
import { addRun } from "./commands/run.ts";
import { addTail } from "./commands/tail.ts";
import { CommandError, type Context, exitCodes } from "./context.ts";
import { readSettings } from "./settings.ts";
import { openTerminal } from "./terminal.ts";

/** The command line `watchglass`; answers the exit code. */
export async function main(argv: string[]): Promise<number> {
  const terminal = openTerminal(process.stdout, process.stderr);
  const ending = new AbortController();
  process.once("SIGINT", () => ending.abort());
  const around = process.env;
  const settings = async () => {
    const found = await readSettings(around);
    if (found) return found;
    throw new CommandError(
      'Nobody is logged in: run "watchglass login", or set WATCHGLASS_URL and WATCHGLASS_KEY.',
    );
  };
  const context: Context = {
    terminal,
    around,
    stdin: process.stdin,
    signal: ending.signal,
    url: async () => (await settings()).url,
    async client() {
      const { url, key } = await settings();
      return createClient(overHttp(url, key));
    },
  };
  const program = new Command("watchglass")
    .description("Watches web pages and says what changed.")
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText(
      "after",
      `\nExit codes: 0 all is well, ${exitCodes.failed} it failed, ${exitCodes.usage} it was called wrongly, ${exitCodes.changed} something changed (run --fail-on-change).`,
    );
  for (const add of [addLogin, addJobs, addAdd, addRun, addDiff, addTail, addExport, addImport, addMcp])
    add(program, context);
  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    if (ending.signal.aborted) return 130;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (!(error instanceof CommandError || error instanceof CallError)) throw error;
    terminal.say(error.message);
    return error instanceof CommandError ? error.exitCode : exitCodes.failed;
  }
}
