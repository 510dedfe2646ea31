import type { Command } from "commander";
import type { Client } from "#client/create-client.ts";
import { readEvents } from "#client/read-events.ts";
import type { JobLine } from "#contract/change.ts";
import type { LiveEvent } from "#contract/job.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { findGroupId, findJob } from "../find-job.ts";
import { oneLine, type Terminal } from "../terminal.ts";
import { wholeNumber } from "../whole-number.ts";

type Options = { all?: boolean; group?: string; failOnChange?: boolean; json?: boolean; timeout: number };
type Result = {
  jobId: string;
  job: string;
  executionId: string;
  changed: boolean;
  failed: boolean;
  summary: string;
};

export function addRun(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("run [jobs...]")
    .description("check jobs now and wait for the results")
    .option("--all", "every active job")
    .option("--group <name>", "the active jobs of a group")
    .option("--fail-on-change", `exit with code ${exitCodes.changed} if anything changed`)
    .option("--timeout <seconds>", "longest time to wait", wholeNumber(1, 86_400), 300)
    .option("--json", "print JSON")
    .action(async (wanted: string[], options: Options) => {
      const client = await context.client();
      const jobs = await chooseJobs(client, wanted, options);
      const results = await check(client, terminal, jobs, options.timeout * 1000);
      if (options.json) terminal.out(JSON.stringify(results, null, 2));
      else for (const result of results) terminal.out(describe(terminal, result));
      const failed = results.filter((result) => result.failed).length;
      if (failed > 0) throw new CommandError(failed === 1 ? "1 check failed." : `${failed} checks failed.`);
      if (options.failOnChange && results.some(({ changed }) => changed))
        throw new CommandError("Something changed.", exitCodes.changed);
    });
}

async function chooseJobs(client: Client, wanted: string[], { all, group }: Options): Promise<JobLine[]> {
  if (wanted.length > 0) return Promise.all(wanted.map((one) => findJob(client, one)));
  if (!all && group === undefined)
    throw new CommandError("Choose jobs by name or id, or use --group or --all.", exitCodes.usage);
  const groupId = group === undefined ? undefined : await findGroupId(client, group);
  if (group !== undefined && !groupId) throw new CommandError(`There is no group "${group}".`);
  const { jobs } = await client.call("GET /api/jobs", { query: { groupId } });
  const active = jobs.filter(({ status }) => status === "ACTIVE");
  if (active.length === 0) throw new CommandError("There are no active jobs.");
  return active;
}

/** Starts checks and follows their progress live. */
async function check(client: Client, terminal: Terminal, jobs: JobLine[], waitMs: number): Promise<Result[]> {
  const names = new Map(jobs.map(({ id, name }) => [id, oneLine(name)]));
  const results = new Map<string, Result>();
  const deadline = AbortSignal.timeout(waitMs);
  const showProgress = (text: string) =>
    terminal.progress(
      jobs.length === 1 ? text : `${terminal.bar(results.size, jobs.length, "jobs")}  ${text}`,
    );
  const handleEvent = (event: LiveEvent) => {
    if (!("jobId" in event)) return;
    const name = names.get(event.jobId);
    if (name === undefined || results.has(event.jobId)) return;
    if (event.kind === "progress") showProgress(`${name}: ${event.stage}`);
    if (event.kind === "started") showProgress(`${name}: started`);
    if (event.kind !== "finished") return;
    const { kind: _, ...result } = event;
    results.set(event.jobId, { ...result, job: name });
  };
  try {
    const stream = await client.stream("GET /api/events", undefined, { signal: deadline });
    for await (const event of readEvents(stream)) {
      if (event.kind === "ready") {
        for (const { id } of jobs) await client.call("POST /api/jobs/:jobId/run", { params: { jobId: id } });
        showProgress("queued");
      } else if (event.kind !== "reset") handleEvent(event);
      if (results.size === jobs.length) break;
    }
  } catch (error) {
    if (!deadline.aborted) throw error;
  }
  const missing = jobs.filter(({ id }) => !results.has(id));
  if (missing.length > 0) {
    const list = missing.map(({ name }) => oneLine(name)).join(", ");
    throw new CommandError(`Not finished in time: ${list}. The checks continue.`);
  }
  return jobs.flatMap(({ id }) => results.get(id) ?? []);
}

function describe({ style }: Terminal, { job, changed, failed, summary }: Result): string {
  const words = oneLine(summary);
  if (failed) return `${style("red", "✗ failed   ")} ${job}: ${words}`;
  if (changed) return `${style("yellow", "~ changed  ")} ${job}: ${words}`;
  return `${style("gray", "= unchanged")} ${job}`;
}
