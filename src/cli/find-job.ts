import type { Client } from "#client/create-client.ts";
import type { JobLine } from "#contract/change.ts";
import { CommandError, exitCodes } from "./context.ts";

/** Finds a job by its id, the beginning of its id, its name or its address. */
export async function findJob(client: Client, wanted: string): Promise<JobLine> {
  const { jobs } = await client.call("GET /api/jobs");
  const matchers: ((job: JobLine) => boolean)[] = [
    (job) => job.id === wanted,
    (job) => job.name === wanted,
    (job) => job.url === wanted,
    (job) => job.name.toLowerCase() === wanted.toLowerCase(),
    (job) => wanted.length >= 4 && job.id.startsWith(wanted),
  ];
  for (const isMatch of matchers) {
    const found = jobs.filter(isMatch);
    if (found.length === 1 && found[0]) return found[0];
    if (found.length > 1) {
      const ids = found.map(({ id, name, group }) => `  ${id}  ${group} / ${name}`).join("\n");
      throw new CommandError(
        `Several jobs are called "${wanted}"; name one by its id:\n${ids}`,
        exitCodes.usage,
      );
    }
  }
  throw new CommandError(`There is no job "${wanted}". "watchglass jobs" lists them.`);
}

export async function findGroupId(client: Client, wanted: string): Promise<string | undefined> {
  const groups = await client.call("GET /api/jobs/groups");
  const same = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  return groups.find(({ id, name }) => id === wanted || same(name))?.id;
}
