import { type Command, Option } from "commander";
import { blockKindNames, blockKinds, type FoundLine, type SearchResults } from "#contract/page-block.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { findGroupId, findJob } from "../find-job.ts";
import { oneLine, type Terminal } from "../terminal.ts";
import { wholeNumber } from "../whole-number.ts";

type Options = {
  search: string;
  words?: boolean;
  regex?: boolean;
  kind?: SearchResults["lines"][number]["kind"];
  job?: string;
  group?: string;
  tag?: string;
  lines: number;
  json?: boolean;
};

export function addLog(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("log")
    .description(
      "find when something was first seen on the watched pages, on which of them, and when it was gone",
    )
    .option(
      "-S, --search <text>",
      "text to find in everything that was captured; may be left out with --kind",
      "",
    )
    .option("--words", "find lines with all of the words, in any order")
    .option("--regex", "read the text as a regular expression")
    .addOption(new Option("--kind <kind>", "only this kind of content").choices(blockKindNames))
    .option("--job <job>", "only this job")
    .option("--group <group>", "only jobs of this group")
    .option("--tag <tag>", "only jobs with this tag")
    .option("-n, --lines <number>", "number of lines to print", wholeNumber(1, 200), 25)
    .option("--json", "print the whole result as JSON")
    .action(async ({ search, words, regex, kind, job, group, tag, lines, json }: Options) => {
      const client = await context.client();
      const groupId = group === undefined ? undefined : await findGroupId(client, group);
      if (group !== undefined && !groupId)
        throw new CommandError(`There is no group "${group}".`, exitCodes.usage);
      const jobId = job === undefined ? undefined : (await findJob(client, job)).id;
      const mode = regex ? "regex" : words ? "words" : "literal";
      const query = { q: search, mode, kind, jobId, groupId, tag, limit: lines } as const;
      const results = await client.call("GET /api/search", { query });
      if (json) return terminal.out(JSON.stringify(results, null, 2));
      const { total } = results;
      if (!total) terminal.say("Nothing found.");
      else if (results.lines.length > 1) terminal.out(terminal.style("bold", describePeriod(total)));
      for (const line of results.lines) terminal.out(describeLine(terminal, line));
      for (const note of describeLimits(results)) terminal.say(note);
    });
}

function describePeriod({ firstAt, pages, pagesNow, goneAt }: NonNullable<SearchResults["total"]>): string {
  const where = `${pages} ${pages === 1 ? "page" : "pages"}`;
  const now = goneAt ? `gone since ${goneAt}` : `still on ${pagesNow}`;
  return `First seen ${firstAt} on ${where}, ${now}`;
}

function describeLine({ style }: Terminal, line: FoundLine): string {
  return [
    `${style("cyan", blockKinds[line.kind])}: ${oneLine(line.text)}`,
    style("gray", `  ${describePeriod(line)}`),
    ...line.stays.map(
      ({ job, firstAt, goneAt }) =>
        `  ${oneLine(job)}: ${firstAt} ${goneAt ? `until ${goneAt}` : "until now"}`,
    ),
  ].join("\n");
}

function* describeLimits({ more, isCapped, isScanned, jobsToIndex }: SearchResults): Generator<string> {
  if (more) yield "There are more lines: use --lines, or search for something rarer.";
  if (isCapped) yield "More than 2,000 lines match: the first line covers only some of them.";
  if (isScanned)
    yield "Only the newest 100,000 lines were searched: the database has no text index (pg_trgm and btree_gin).";
  if (jobsToIndex > 0) yield `Older captures of ${jobsToIndex} jobs can’t be searched yet.`;
}
