import type { Command } from "commander";
import type { JobLine } from "#contract/change.ts";
import { CommandError, type Context } from "../context.ts";
import { findGroupId, findJob } from "../find-job.ts";
import { oneLine, table } from "../terminal.ts";

type Json = { json?: boolean };

export function addJobs(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("jobs")
    .description("list the jobs")
    .option("--group <name>", "only jobs of this group")
    .option("--json", "print JSON")
    .action(async ({ group, json }: Json & { group?: string }) => {
      const client = await context.client();
      const groupId = group === undefined ? undefined : await findGroupId(client, group);
      if (group !== undefined && !groupId) throw new CommandError(`There is no group "${group}".`);
      const { jobs } = await client.call("GET /api/jobs", { query: { groupId } });
      if (json) return terminal.out(JSON.stringify(jobs, null, 2));
      if (jobs.length === 0) return terminal.say('No jobs yet. Create one with "watchglass add URL".');
      const head = ["ID", "STATUS", "EVERY", "CHANGES", "GROUP", "NAME", "ADDRESS"];
      terminal.out(table([head, ...jobs.map(row)]));
    });
  program
    .command("groups")
    .description("list the groups")
    .option("--json", "print JSON")
    .action(async ({ json }: Json) => {
      const groups = await (await context.client()).call("GET /api/jobs/groups");
      if (json) return terminal.out(JSON.stringify(groups, null, 2));
      terminal.out(
        table([
          ["ID", "JOBS", "NAME"],
          ...groups.map(({ id, jobs, name }) => [id, String(jobs), oneLine(name)]),
        ]),
      );
    });
  for (const [name, status, words] of [
    ["pause", "PAUSED", "pause a job until it is resumed"],
    ["resume", "ACTIVE", "activate a paused, disabled or interrupted job"],
  ] as const) {
    program
      .command(`${name} <job>`)
      .description(words)
      .action(async (wanted: string) => {
        const client = await context.client();
        const job = await findJob(client, wanted);
        await client.call("PATCH /api/jobs/:jobId/:status", { params: { jobId: job.id, status } });
        terminal.say(`${oneLine(job.name)} is now ${status}.`);
      });
  }
  program
    .command("rm <job>")
    .description("delete a job and its history")
    .requiredOption("--yes", "confirm the deletion")
    .action(async (wanted: string) => {
      const client = await context.client();
      const job = await findJob(client, wanted);
      const { message } = await client.call("DELETE /api/jobs/:jobId", { params: { jobId: job.id } });
      terminal.say(message);
    });
}

function row(job: JobLine): string[] {
  const status = job.failing ? `${job.status} (failing)` : job.status;
  const { id, frequencyMinutes, changes, group, name, url } = job;
  return [
    id,
    status,
    `${frequencyMinutes} min`,
    String(changes),
    oneLine(group),
    oneLine(name),
    oneLine(url),
  ];
}
