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
    .option("--group <name>", "only those of a group")
    .option("--json", "as JSON")
    .action(async ({ group, json }: Json & { group?: string }) => {
      const client = await context.client();
      const groupId = group === undefined ? undefined : await findGroupId(client, group);
      if (group !== undefined && !groupId) throw new CommandError(`There is no group "${group}".`);
      const { jobs } = await client.listJobs({ query: { groupId } });
      if (json) return terminal.out(JSON.stringify(jobs, null, 2));
      if (jobs.length === 0) return terminal.say('No jobs yet. "watchglass add URL" makes one.');
      const head = ["ID", "STATUS", "EVERY", "CHANGES", "GROUP", "NAME", "ADDRESS"];
      terminal.out(table([head, ...jobs.map(row)]));
    });
  program
    .command("groups")
    .description("list the groups")
    .option("--json", "as JSON")
    .action(async ({ json }: Json) => {
      const groups = await (await context.client()).listGroups();
      if (json) return terminal.out(JSON.stringify(groups, null, 2));
      terminal.out(
        table([
          ["ID", "JOBS", "NAME"],
          ...groups.map(({ id, jobs, name }) => [id, String(jobs), oneLine(name)]),
        ]),
      );
    });
  for (const [name, status, words] of [
    ["pause", "PAUSED", "check a job no more until it is resumed"],
    ["resume", "ACTIVE", "check a paused, disabled or interrupted job again"],
  ] as const) {
    program
      .command(`${name} <job>`)
      .description(words)
      .action(async (wanted: string) => {
        const client = await context.client();
        const job = await findJob(client, wanted);
        await client.setJobStatus({ params: { jobId: job.id, status } });
        terminal.say(`${oneLine(job.name)} is now ${status}.`);
      });
  }
  program
    .command("rm <job>")
    .description("delete a job and its history")
    .requiredOption("--yes", "it cannot be undone")
    .action(async (wanted: string) => {
      const client = await context.client();
      const job = await findJob(client, wanted);
      const { message } = await client.deleteJob({ params: { jobId: job.id } });
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
