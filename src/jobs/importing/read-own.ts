import { z } from "zod";
import { type ChannelId, channelIds, channels } from "#contract/channels.ts";
import { GroupSettings, headerRule } from "#contract/job.ts";
import { Pace } from "#contract/pace.ts";
import { Template } from "#contract/template.ts";
import { UnreadableFile } from "../unreadable-file.ts";
import { assertCount, type Draft, draft, shorten } from "./draft.ts";

// Ten times as many as the largest plan has.
const mostGroups = 200;

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
    .max(mostGroups)
    .default([]),
  paces: z.record(z.string(), z.unknown()).default({}),
  templates: z.record(z.string(), z.unknown()).default({}),
  channels: z.array(z.string()).default([]),
  again: z.array(z.string().max(300)).max(200).default([]),
});

/** What an archive says besides its jobs, judged as what a user says here. */
export type OwnSettings = {
  groups: OwnGroup[];
  paces: Partial<Record<ChannelId, Pace>>;
  templates: Partial<Record<ChannelId, Template>>;
};
export type OwnGroup = {
  name: string;
  /** Without headers, whose values archives do not hold; null where they are not valid. */
  settings: GroupSettings | null;
  /** Whether it says anything for its jobs. */
  isSaid: boolean;
  headers: string[];
};

/** An archive of an account here or elsewhere. Secrets are not in it, and so are told of. */
export function readOwn(file: object): { drafts: Draft[]; channels: string[]; own: OwnSettings } {
  // Counted before they are judged: each job that is no job gives a dozen problems.
  const { jobs, groups: given } = file as Record<string, unknown>;
  if (Array.isArray(jobs)) assertCount(jobs.length);
  if (Array.isArray(given) && given.length > mostGroups)
    throw new UnreadableFile(`The archive has ${given.length} groups; at most ${mostGroups} are taken.`);
  const { data, error } = Archive.safeParse(file);
  if (!data) {
    throw new UnreadableFile(`The archive is not whole: ${error.issues[0]?.path.join(".")}.`);
  }
  const known = channelIds.filter((id) => data.channels.includes(id)).map((id) => channels[id].name);
  const addresses = known.map((name) => `Put in again, since archives hold no secrets: ${name}.`);
  const again = data.again.map((what) => `Made again by you, since archives do not hold it: ${what}.`);
  return {
    drafts: data.jobs.map(readJob),
    channels: [...addresses, ...again],
    own: {
      groups: data.groups.map(readGroup),
      paces: judged(data.paces, Pace),
      templates: judged(data.templates, Template),
    },
  };
}

function readGroup({ name, settings }: z.infer<typeof Archive>["groups"][number]): OwnGroup {
  const { headers, ...handed } = settings;
  return {
    name: name.slice(0, 300),
    settings: GroupSettings.safeParse({ ...handed, headers: [] }).data ?? null,
    isSaid: Object.values(handed).some((value) => value !== null && !isEmpty(value)),
    headers: headers.slice(0, headerRule.maximum).map((header) => shorten(header.name, 100)),
  };
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** What is said of channels that exist, as far as it is valid. */
function judged<Shape extends z.ZodType>(
  given: Record<string, unknown>,
  shape: Shape,
): Partial<Record<ChannelId, z.output<Shape>>> {
  return Object.fromEntries(
    channelIds.flatMap((id) => {
      const { data } = shape.safeParse(Object.hasOwn(given, id) ? given[id] : undefined);
      return data === undefined ? [] : [[id, data]];
    }),
  ) as Partial<Record<ChannelId, z.output<Shape>>>;
}

function readJob(job: z.infer<typeof Archive>["jobs"][number]): Draft {
  const secret = job.headers.flatMap(({ name, value }) => (value ? [] : [shorten(name, 100)])).slice(0, 20);
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
