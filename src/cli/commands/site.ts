import type { Command } from "commander";
import type { Client, ReplyOf } from "#client/create-client.ts";
import { siteSources, siteStatuses } from "#contract/site.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { findJob } from "../find-job.ts";
import { oneLine, table } from "../terminal.ts";
import { wholeNumber } from "../whole-number.ts";

type Options = {
  search?: string;
  status?: string;
  limit: number;
  source?: string;
  templates?: boolean;
  difference?: boolean;
  rules?: boolean;
  export?: string;
  pause?: boolean;
  resume?: boolean;
  json?: boolean;
};
type State = ReplyOf<"GET /api/jobs/:jobId/site">;
type Page = ReplyOf<"GET /api/jobs/:jobId/site/pages">["pages"][number];

const formats = ["csv", "json", "xml"] as const;

/** The inventory of a job that watches a whole site. */
export function addSite(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("site <job>")
    .description("list the pages of a job's site, and how far its crawl is")
    .option("--search <words>", "only addresses or titles with these words")
    .option("--status <status>", siteStatuses.join(", "))
    .option("--source <source>", siteSources.join(", "))
    .option("--limit <count>", "how many addresses", wholeNumber(1, 100), 50)
    .option("--templates", "list the templates instead of the addresses")
    .option("--difference", "list what differs between the two newest crawls")
    .option("--rules", "list the rules that make jobs of the site's pages")
    .option("--export <format>", "print the whole inventory: csv, json or xml (a sitemap)")
    .option("--pause", "pause the crawl")
    .option("--resume", "resume the crawl where it was")
    .option("--json", "print JSON")
    .action(async (wanted: string, options: Options) => {
      const client = await context.client();
      const { id: jobId } = await findJob(client, wanted);
      const params = { jobId };
      if (options.pause || options.resume) {
        const action = options.pause ? "pause" : "resume";
        const { message } = await client.call("POST /api/jobs/:jobId/site/:action", {
          params: { jobId, action },
        });
        return terminal.say(message);
      }
      if (options.export !== undefined) {
        const format = oneOf(formats, options.export);
        const answer = await client.stream("GET /api/jobs/:jobId/site/export", { params, query: { format } });
        return terminal.out((await answer.text()).trimEnd());
      }
      if (options.rules) return showRules(client, context, jobId, options);
      if (options.difference) return showDifference(client, context, jobId, options);
      if (options.templates) {
        const { templates } = await client.call("GET /api/jobs/:jobId/site/templates", { params });
        if (options.json) return terminal.out(JSON.stringify(templates, null, 2));
        const rows = templates.map(({ pages, template, example }) => [
          String(pages),
          oneLine(template),
          oneLine(example),
        ]);
        return terminal.out(table([["PAGES", "TEMPLATE", "EXAMPLE"], ...rows]));
      }
      const { search, limit } = options;
      const source = options.source === undefined ? undefined : oneOf(siteSources, options.source);
      const status = options.status === undefined ? undefined : oneOf(siteStatuses, options.status);
      const [state, { pages, total }] = await Promise.all([
        client.call("GET /api/jobs/:jobId/site", { params }),
        client.call("GET /api/jobs/:jobId/site/pages", { params, query: { search, status, source, limit } }),
      ]);
      if (options.json) return terminal.out(JSON.stringify({ ...state, total, list: pages }, null, 2));
      for (const line of describeState(state)) terminal.say(line);
      terminal.out(table([["STATUS", "DEPTH", "SOURCE", "ADDRESS", "TITLE"], ...pages.map(row)]));
      if (total > pages.length)
        terminal.say(`${pages.length} of ${total} addresses; --limit or --search shows others.`);
    });
}

async function showRules(
  client: Client,
  { terminal }: Context,
  jobId: string,
  { json }: Options,
): Promise<void> {
  const { rules } = await client.call("GET /api/jobs/:jobId/site/rules", { params: { jobId } });
  if (json) return terminal.out(JSON.stringify(rules, null, 2));
  const rows = rules.map(({ value, jobs, maxJobs, retired, problem }) => [
    `${jobs} of ${maxJobs}`,
    String(retired),
    oneLine(value),
    oneLine(problem ?? ""),
  ]);
  terminal.out(table([["JOBS", "RETIRED", "PAGES", "PROBLEM"], ...rows]));
}

/** What differs between the inventories of the two newest executions that captured one. */
async function showDifference(
  client: Client,
  { terminal }: Context,
  jobId: string,
  { json, limit }: Options,
): Promise<void> {
  const params = { jobId };
  const { executions } = await client.call("GET /api/jobs/:jobId/executions", {
    params,
    query: { limit: 50 },
  });
  const [newest, previous] = executions.filter(({ error }) => !error);
  if (!newest || !previous) throw new CommandError("Two crawls are needed.", exitCodes.failed);
  const { differences, total } = await client.call("GET /api/jobs/:jobId/site/difference", {
    params,
    query: { from: previous.id, to: newest.id, limit },
  });
  if (json) return terminal.out(JSON.stringify({ differences, total }, null, 2));
  if (total === 0) return terminal.say("The inventories are the same.");
  terminal.out(differences.map(({ sentence }) => oneLine(sentence)).join("\n"));
  if (total > differences.length)
    terminal.say(`${differences.length} of ${total} differences; --limit shows more.`);
}

function oneOf<Known extends string>(known: readonly Known[], given: string): Known {
  const found = known.find((one) => one === given);
  if (!found) throw new CommandError(`"${given}" must be one of ${known.join(", ")}.`, exitCodes.usage);
  return found;
}

function describeState({ run, pages, known }: State): string[] {
  if (!run) return ["The first crawl is on its way."];
  const states = {
    running: "under way",
    paused: "paused",
    crawled: "being compared with the last one",
    recorded: "finished",
  };
  return [
    `Crawl ${run.number} is ${states[run.state]}: ${run.requested} requests, ${run.perSecond} per second; ${pages} pages, ${known} addresses.`,
    ...(run.failure ? [oneLine(run.failure)] : []),
    ...run.notes.map(oneLine),
  ];
}

const row = ({ status, notRequested, depth, source, address, title }: Page) => [
  status === null ? (notRequested ?? "-") : String(status),
  String(depth),
  source,
  oneLine(address),
  oneLine(title),
];
