import type { Client } from "#client/create-client.ts";
import type { JobLine } from "#contract/change.ts";
import { CommandError, exitCodes } from "./context.ts";

/** The job that is meant: by its id, how that begins, its name or its address. */
export async function findJob(client: Client, wanted: string): Promise<JobLine> {
  const { jobs } = await client.listJobs();
  const ways: ((job: JobLine) => boolean)[] = [
    (job) => job.id === wanted,
    (job) => job.name === wanted,
    (job) => job.url === wanted,
    (job) => job.name.toLowerCase() === wanted.toLowerCase(),
    (job) => wanted.length >= 4 && job.id.startsWith(wanted),
  ];
  for (const way of ways) {
    const found = jobs.filter(way);
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
  const groups = await client.listGroups();
  const same = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  return groups.find(({ id, name }) => id === wanted || same(name))?.id;
}
