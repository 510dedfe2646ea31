import { z } from "zod";
import { type ChannelId, channelIds, channels } from "#channels/channel-list.ts";
import { Pace } from "#contract/delivery-schedule.ts";
import { GroupSettings, headerRule } from "#contract/job.ts";
import { maxSavedViews, NewSavedView } from "#contract/saved-view.ts";
import { maxSearchAlerts } from "#contract/search-alert.ts";
import { Template } from "#contract/template.ts";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { secretsIn } from "#page-steps/password-fields.ts";
import { ArchivedSearchAlert } from "#search-alerts/archive-search-alert.ts";
import { ArchivedSiteRule } from "#site-rules/archive-site-rules.ts";
import { assertCount, type Draft, draft, type RestName, restNames, shorten } from "../readers/draft.ts";

// Ten times as many as the largest plan allows.
const mostGroups = 200;
const mostSiteRules = 200;

const Header = z.object({ name: z.string(), value: z.string().nullish() });
const restShape = Object.fromEntries(restNames.map((name) => [name, z.unknown().optional()])) as Record<
  RestName,
  z.ZodOptional<z.ZodUnknown>
>;
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
      ...restShape,
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
  savedViews: z.array(z.unknown()).default([]),
  searchAlerts: z.array(z.unknown()).default([]),
  siteRules: z.array(z.unknown()).default([]),
  channels: z.array(z.string()).default([]),
  again: z.array(z.string().max(300)).max(200).default([]),
});

/** An archive's settings besides its jobs, validated like the user's input. */
export type ArchiveSettings = {
  groups: ArchiveGroup[];
  paces: Partial<Record<ChannelId, Pace>>;
  templates: Partial<Record<ChannelId, Template>>;
  savedViews: NewSavedView[];
  searchAlerts: ArchivedSearchAlert[];
  siteRules: ArchivedSiteRule[];
};
export type ArchiveGroup = {
  name: string;
  /** Without headers, because archives do not contain their values; null if the settings are not valid. */
  settings: GroupSettings | null;
  /** Whether the group has any defaults for its jobs. */
  hasDefaults: boolean;
  headers: string[];
  /** The secrets that its steps type. */
  stepSecrets: string[];
};

/** Reads an archive of an account from here or elsewhere. It holds no secrets, so notes say which to enter again. */
export function readArchive(file: object): { drafts: Draft[]; channels: string[]; own: ArchiveSettings } {
  // Counted before they are validated, because each invalid job produces a dozen problems.
  const { jobs, groups: given } = file as Record<string, unknown>;
  if (Array.isArray(jobs)) assertCount(jobs.length);
  if (Array.isArray(given) && given.length > mostGroups)
    throw new UnreadableFile(`The archive has ${given.length} groups; at most ${mostGroups} are taken.`);
  const { data, error } = Archive.safeParse(file);
  if (!data) {
    throw new UnreadableFile(`The archive is incomplete: ${error.issues[0]?.path.join(".")}.`);
  }
  const known = channelIds.filter((id) => data.channels.includes(id)).map((id) => channels[id].name);
  const addresses = known.map((name) => `Enter again, because archives contain no secrets: ${name}.`);
  const again = data.again.map((what) => `Create again, because archives don’t contain it: ${what}.`);
  return {
    drafts: data.jobs.map(readJob),
    channels: [...addresses, ...again],
    own: {
      groups: data.groups.map(readGroup),
      paces: pickValid(data.paces, Pace),
      templates: pickValid(data.templates, Template),
      savedViews: data.savedViews
        .slice(0, maxSavedViews)
        .flatMap((view) => NewSavedView.safeParse(view).data ?? []),
      searchAlerts: data.searchAlerts
        .slice(0, maxSearchAlerts)
        .flatMap((alert) => ArchivedSearchAlert.safeParse(alert).data ?? []),
      siteRules: data.siteRules
        .slice(0, mostSiteRules)
        .flatMap((rule) => ArchivedSiteRule.safeParse(rule).data ?? []),
    },
  };
}

function readGroup({ name, settings }: z.infer<typeof Archive>["groups"][number]): ArchiveGroup {
  const { headers, ...defaults } = settings;
  return {
    name: name.slice(0, 300),
    settings: GroupSettings.safeParse({ ...defaults, headers: [], stepSecrets: [] }).data ?? null,
    hasDefaults: Object.values(defaults).some((value) => value !== null && !isEmpty(value)),
    headers: headers.slice(0, headerRule.maximum).map((header) => shorten(header.name, 100)),
    stepSecrets: stepSecretsIn(defaults.pageSteps),
  };
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** The valid settings of channels that exist. */
function pickValid<Shape extends z.ZodType>(
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

/** The names of the secrets that steps type. */
const stepSecretsIn = (steps: unknown) =>
  [...new Set(secretsIn(JSON.stringify(steps ?? [])))].slice(0, 20).map((name) => shorten(name, 100));

function readJob(job: z.infer<typeof Archive>["jobs"][number]): Draft {
  const secret = job.headers.flatMap(({ name, value }) => (value ? [] : [shorten(name, 100)])).slice(0, 20);
  const typed = stepSecretsIn(job.pageSteps);
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
    rest: Object.fromEntries(restNames.map((name) => [name, job[name]])),
    history: job.folder
      ? { folder: job.folder, baseline: job.baseline ?? null, createdAt: job.createdAt ?? null }
      : null,
    left: [
      ...(secret.length > 0
        ? [`Enter again, because archives contain no secrets: the headers ${secret.join(", ")}.`]
        : []),
      ...(typed.length > 0
        ? [`Enter again, because archives contain no secrets: what the steps type as ${typed.join(", ")}.`]
        : []),
      ...(job.hasTrigger ? ["Enter again, because archives contain no secrets: the HTTP trigger."] : []),
    ],
  });
}
