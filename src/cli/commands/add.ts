import type { Command } from "commander";
import { CallError } from "#client/create-client.ts";
import { SiteSettings } from "#contract/site-settings.ts";
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
  site?: boolean;
  maxPages: number;
  json?: boolean;
};

const collect = (value: string, collected: string[]) => [...collected, value];

export function addAdd(program: Command, context: Context): void {
  program
    .command("add <url>")
    .description("create a job that watches a page")
    .option("--name <name>", "name of the job (default: the page's title)")
    .option("--group <name>", "group of the job; it is created if it doesn't exist", "Command line")
    .option("--every <minutes>", "minutes between two checks", wholeNumber(1, 43_200), 60)
    .option("--selector <css>", "CSS selector: compare only what it matches")
    .option("--ignore <rule>", "CSS selector or /pattern/ to ignore; can be repeated", collect, [])
    .option("--lookup <text>", "alert when this text appears; can be repeated", collect, [])
    .option("--header <name: value>", "request header; can be repeated", collect, [])
    .option("--wait-for <css>", "CSS selector to wait for before the page is captured")
    .option("--site", "watch the whole site that the URL is on, by the inventory of its pages")
    .option("--max-pages <count>", "with --site: pages that one check requests", wholeNumber(1, 100_000), 200)
    .option("--json", "print JSON")
    .action(async (url: string, options: Options) => {
      const client = await context.client();
      const headers = options.header.map(readHeader);
      const knownId = await findGroupId(client, options.group);
      const groupId =
        knownId ?? (await client.call("POST /api/jobs/groups", { body: { name: options.group } })).id;
      const created = client.call("POST /api/jobs/create", {
        body: {
          name: options.name ?? "",
          url,
          frequency: options.every,
          groupId,
          headers,
          ...(options.selector ? { selector: options.selector } : {}),
          ...(options.ignore.length > 0 ? { ignore: options.ignore } : {}),
          ...(options.lookup.length > 0 ? { lookup: { strings: options.lookup, when: "appears" } } : {}),
          ...(options.site ? { site: SiteSettings.parse({ maxPages: options.maxPages }) } : {}),
          ...(options.waitFor ? { waitFor: { selector: options.waitFor } } : {}),
        },
      });
      const { job } = await created.catch(async (error: unknown) => {
        // A group that was created for a job that is refused would be left empty.
        if (!knownId && error instanceof CallError && error.code !== "NETWORK")
          await client.call("DELETE /api/jobs/groups/:groupId", { params: { groupId } });
        throw error;
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
  if (at < 1) throw new CommandError(`"${text}" isn't a header. Use "Name: value".`, exitCodes.usage);
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
