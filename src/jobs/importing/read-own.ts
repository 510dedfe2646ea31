import { z } from "zod";
import { type ChannelId, channels } from "#contract/channels.ts";
import { type Draft, draft, UnreadableFile } from "./draft.ts";

const Header = z.object({ name: z.string(), value: z.string().nullish() });
const Archive = z.object({
  watchglass: z.literal(1),
  jobs: z.array(
    z.object({
      name: z.string(),
      url: z.string(),
      group: z.string(),
      frequencyMinutes: z.number(),
      status: z.string(),
      selector: z.string().nullable(),
      awaited: z.boolean().default(false),
      ignore: z.array(z.string()),
      lookup: z.object({ strings: z.array(z.string()), when: z.enum(["appears", "disappears"]) }).nullable(),
      waitFor: z.object({ selector: z.string().optional(), seconds: z.number().optional() }).nullable(),
      headers: z.array(Header),
      hasTrigger: z.boolean().default(false),
      alertIf: z.unknown().optional(),
      values: z.unknown().optional(),
      schedule: z.unknown().optional(),
      tellFailures: z.unknown().optional(),
      request: z.unknown().optional(),
      channels: z.unknown().optional(),
      createdAt: z.iso.datetime().nullish(),
      folder: z.string().nullish(),
      baseline: z.string().nullish(),
    }),
  ),
  groups: z
    .array(
      z.object({
        name: z.string(),
        settings: z.looseObject({ headers: z.array(z.object({ name: z.string() })).default([]) }),
      }),
    )
    .default([]),
  paces: z.record(z.string(), z.unknown()).default({}),
  templates: z.record(z.string(), z.unknown()).default({}),
  channels: z.array(z.string()).default([]),
  again: z.array(z.string().max(300)).max(200).default([]),
});

/** What an archive says besides its jobs. */
export type OwnSettings = Pick<z.infer<typeof Archive>, "groups" | "paces" | "templates">;

/** An archive of an account here or elsewhere. Secrets are not in it, and so are told of. */
export function readOwn(file: object): { drafts: Draft[]; channels: string[]; own: OwnSettings } {
  const { data, error } = Archive.safeParse(file);
  if (!data) {
    throw new UnreadableFile(`The archive is not whole: ${error.issues[0]?.path.join(".")}.`);
  }
  const { groups, paces, templates } = data;
  const known = data.channels.flatMap((id) => channels[id as ChannelId]?.name ?? []);
  const addresses = known.map((name) => `Put in again, since archives hold no secrets: ${name}.`);
  const again = data.again.map((what) => `Made again by you, since archives do not hold it: ${what}.`);
  return {
    drafts: data.jobs.map(readJob),
    channels: [...addresses, ...again],
    own: { groups, paces, templates },
  };
}

function readJob(job: z.infer<typeof Archive>["jobs"][number]): Draft {
  const secret = job.headers.filter(({ value }) => !value).map(({ name }) => name);
  return draft({
    name: job.name,
    url: job.url,
    group: job.group,
    frequency: job.frequencyMinutes,
    paused: job.status !== "ACTIVE",
    selector: job.selector,
    awaited: job.awaited,
    ignore: job.ignore,
    lookup: job.lookup,
    waitFor: job.waitFor,
    rest: {
      alertIf: job.alertIf,
      values: job.values,
      schedule: job.schedule,
      tellFailures: job.tellFailures,
      request: job.request,
      channels: job.channels,
    },
    history: job.folder
      ? { folder: job.folder, baseline: job.baseline ?? null, createdAt: job.createdAt ?? null }
      : null,
    left: [
      ...(secret.length > 0
        ? [`Put in again, since archives hold no secrets: the headers ${secret.join(", ")}.`]
        : []),
      ...(job.hasTrigger ? ["Put in again, since archives hold no secrets: the HTTP trigger."] : []),
    ],
  });
}
