import type { Command } from "commander";
import { readEvents } from "#client/read-events.ts";
import type { Change } from "#contract/change.ts";
import { CommandError, type Context } from "../context.ts";
import { oneLine, type Terminal } from "../terminal.ts";
import { wholeNumber } from "../whole-number.ts";

type Options = { lines: number; json?: boolean; search?: string; follow?: boolean };

export function addTail(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("tail")
    .description("print the newest changes of all jobs, then new ones as they are found")
    .option("-n, --lines <number>", "number of past changes to print first", wholeNumber(0, 100), 10)
    .option("--search <words>", "only changes that contain these words")
    .option("--no-follow", "only print past changes")
    .option("--json", "print one JSON object per line")
    .action(async (options: Options) => {
      const client = await context.client();
      const q = options.search;
      const print = (change: Change) =>
        terminal.out(options.json ? JSON.stringify(change) : describe(terminal, change));
      const limit = options.lines;
      let last: string | undefined;
      /** Prints the changes since the last printed one, oldest first. */
      const printNew = async (count: number) => {
        const { changes } = await client.call("GET /api/changes", { query: { limit: count, q } });
        const lastIndex = changes.findIndex(({ executionId }) => executionId === last);
        const fresh = lastIndex < 0 ? changes : changes.slice(0, lastIndex);
        last = changes[0]?.executionId ?? last;
        for (const change of fresh.toReversed()) print(change);
      };
      if (options.follow === false) return printNew(Math.max(limit, 1));
      const stream = await client.stream("GET /api/events", undefined, { signal: context.signal });
      for await (const event of readEvents(stream)) {
        if (event.kind === "ready") {
          if (limit > 0) await printNew(limit);
          else
            last = (await client.call("GET /api/changes", { query: { limit: 1, q } })).changes[0]
              ?.executionId;
        } else if (event.kind === "reset" || (event.kind === "finished" && event.changed)) await printNew(20);
      }
      context.signal.throwIfAborted();
      throw new CommandError("The connection ended.");
    });
}

function describe({ style }: Terminal, change: Change): string {
  const { at, severity, group, job, summary, suppressed, lines, moreLines, link } = change;
  return [
    `${style("gray", at)} ${style("bold", oneLine(`${group} / ${job}`))} ${severity}: ${oneLine(summary)}`,
    ...(suppressed === null ? [] : [style("gray", `  no alert: ${oneLine(suppressed)}`)]),
    ...lines
      .slice(0, 6)
      .map(({ sign, text }) => style(sign === "+" ? "green" : "red", `  ${sign} ${oneLine(text)}`)),
    ...(lines.length + moreLines > 6 ? [style("gray", `  … ${lines.length + moreLines - 6} more`)] : []),
    style("gray", `  ${link}`),
  ].join("\n");
}
