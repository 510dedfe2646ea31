import type { Command } from "commander";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { findGroupId } from "../find-job.ts";
import { oneLine } from "../terminal.ts";
import { wholeNumber } from "../whole-number.ts";

type Options = {
  name?: string;
  group: string;
  every: number;
  selector?: string;
  ignore: string[];
  lookup: string[];
  header: string[];
  waitFor?: string;
  json?: boolean;
};

const collect = (value: string, held: string[]) => [...held, value];

export function addAdd(program: Command, context: Context): void {
  program
    .command("add <url>")
    .description("watch a page from now on")
    .option("--name <name>", "what it is called (the address without https://)")
    .option("--group <name>", "its group, made where there is none of that name", "Command line")
    .option("--every <minutes>", "how often it is checked", wholeNumber(1, 43_200), 60)
    .option("--selector <css>", "only what it matches counts")
    .option(
      "--ignore <rule>",
      "what does not count: a CSS selector or /pattern/; may be given often",
      collect,
      [],
    )
    .option("--lookup <text>", "tell when it appears; may be given often", collect, [])
    .option("--header <name: value>", "sent along; may be given often", collect, [])
    .option("--wait-for <css>", "what the page needs before it is looked at")
    .option("--json", "as JSON")
    .action(async (url: string, options: Options) => {
      const client = await context.client();
      const headers = options.header.map(readHeader);
      const groupId =
        (await findGroupId(client, options.group)) ??
        (await client.createGroup({ body: { name: options.group } })).id;
      const { job } = await client.createJob({
        body: {
          name: options.name ?? url.replace(/^https?:\/\//, "").slice(0, 120),
          url,
          frequency: options.every,
          groupId,
          headers,
          ...(options.selector ? { selector: options.selector } : {}),
          ...(options.ignore.length > 0 ? { ignore: options.ignore } : {}),
          ...(options.lookup.length > 0 ? { lookup: { strings: options.lookup, when: "appears" } } : {}),
          ...(options.waitFor ? { waitFor: { selector: options.waitFor } } : {}),
        },
      });
      const { terminal } = context;
      if (options.json) return terminal.out(JSON.stringify(job, null, 2));
      terminal.say(
        `Watching ${oneLine(job.url)} every ${job.frequencyMinutes} minutes; the first check has started.`,
      );
      terminal.out(job.id);
    });
}

function readHeader(text: string): { name: string; value: string } {
  const at = text.indexOf(":");
  if (at < 1) throw new CommandError(`"${text}" is no header: write "Name: value".`, exitCodes.usage);
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
