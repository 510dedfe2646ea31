import { z } from "zod";
import { channelIds } from "#channels/channel-list.ts";
import { AlertIf, Follow } from "./alert-if.ts";
import { BrowserSettings } from "./browser-settings.ts";
import { ChosenIdentity } from "./identity.ts";
import { PageSteps, StepSecrets } from "./page-steps.ts";
import { SecondOpinion } from "./second-opinion.ts";
import {
  ChosenChannels,
  ChosenProxies,
  Header,
  Headers,
  Lookup,
  maxRuleLength,
  NotInherited,
  PageRequest,
  Schedule,
  ShownLookup,
  ShownTrigger,
  TellFailures,
  Trigger,
  tooLong,
  WaitFor,
} from "./setting-shapes.ts";
import { ShownSite, SiteSettings } from "./site-settings.ts";
import { JobMessage } from "./template.ts";
import { CompareAs, TextSteps } from "./text-steps.ts";

/** The properties of one setting of a job. */
export type SettingRow = {
  /** What the API takes for a new job or a change of one. Omitted settings stay as they are. */
  input: z.ZodType;
  /** What the API shows. */
  shown: z.ZodType;
  /** The value of a job that doesn't have the setting. */
  empty: null | false | readonly [];
  /**
   * The setting's own column of `jobs`; sealed ones are encrypted and bound to their row by the context. Settings
   * without one share the JSON column `settings`, so that a new plain setting needs no migration.
   */
  store?: { column: string; as: "plain" | "json" } | { column: string; as: "sealed"; context: string };
  /**
   * Set if a group can give its jobs a default. The job's own setting, even an empty list, overrides the default, or
   * both lists are joined; of two headers with the same name the job's own is sent; of an object each part is inherited
   * by itself. Defaults without a column of `groups` share its column `handed`.
   */
  group?: { shape: z.ZodType; combine: "override" | "union" | "byName" | "byPart"; column?: string };
  /**
   * The setting decides what is alerted when two captures differ. Changing it outdates a check that is running, and a
   * test on history may vary it.
   */
  isCompared?: true;
  /** Exports and archives leave the value out. */
  isSecret?: true;
  /** How the audit trail lists a change of this setting alone; otherwise as "job-changed". */
  audit?: "rules-changed";
};

/**
 * The settings of a job, one row each. API shapes, columns, group defaults, clones, archives, the audit trail and tests
 * on history follow from this table. Checks that differ per setting are in `jobs/prepare-settings.ts`.
 */
export const jobSettings = {
  note: {
    input: z
      .string()
      .trim()
      .max(500, "At most 500 characters.")
      .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), "The note must not contain control characters.")
      .nullish()
      .describe("Why you watch this page, in your own words"),
    shown: z.string().nullable(),
    empty: null,
  },
  tags: {
    input: z
      .array(
        z
          .string()
          .trim()
          .min(1, "A tag needs a name.")
          .max(30, "A tag has at most 30 characters.")
          .regex(/^[^\p{Cc},]+$/u, "A tag has no commas or control characters."),
      )
      .max(10, "At most 10 tags.")
      .transform((tags) => [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()])
      .optional()
      .describe("Words by which you find the job again; the list of all jobs can be filtered by them"),
    shown: z.array(z.string()),
    empty: [],
  },
  site: {
    input: SiteSettings.nullish(),
    shown: ShownSite.nullable(),
    empty: null,
    audit: "rules-changed",
  },
  channels: {
    input: ChosenChannels.nullish(),
    shown: z.array(z.enum(channelIds)).nullable(),
    empty: null,
    store: { column: "channels", as: "json" },
    group: { shape: ChosenChannels.nullable().default(null), combine: "override" },
  },
  message: {
    input: JobMessage.nullish().describe(
      "The text of this job’s alerts in your own words, instead of each channel’s; null for the group’s. Webhooks and triggers keep their bodies",
    ),
    shown: JobMessage.nullable(),
    empty: null,
    group: { shape: JobMessage.nullable().default(null), combine: "override" },
  },
  request: {
    input: PageRequest.nullish(),
    shown: PageRequest.nullable(),
    empty: null,
    store: { column: "request_sealed", as: "sealed", context: "job-request" },
  },
  tellFailures: {
    input: TellFailures.nullish(),
    shown: TellFailures.nullable(),
    empty: null,
    store: { column: "tell_failures", as: "json" },
    group: { shape: TellFailures.nullable().default(null), combine: "override" },
  },
  schedule: {
    input: Schedule.nullish(),
    shown: Schedule.nullable(),
    empty: null,
    store: { column: "timetable", as: "json" },
    group: { shape: Schedule.nullable().default(null), combine: "override", column: "timetable" },
  },
  headers: {
    input: Headers.optional(),
    shown: z.array(Header).describe("Header values are masked"),
    empty: [],
    store: { column: "headers_sealed", as: "sealed", context: "job-headers" },
    group: {
      shape: Headers.default([]).describe(
        "Sent with every job's requests; a job's own header with the same name overrides it",
      ),
      combine: "byName",
      column: "headers_sealed",
    },
    isSecret: true,
    audit: "rules-changed",
  },
  trigger: {
    input: Trigger.nullish(),
    shown: ShownTrigger.nullable().describe("Header values are masked"),
    empty: null,
    store: { column: "trigger_sealed", as: "sealed", context: "job-trigger" },
    isSecret: true,
    audit: "rules-changed",
  },
  lookup: {
    input: Lookup.nullish(),
    shown: ShownLookup.nullable(),
    empty: null,
    store: { column: "lookup", as: "json" },
    isCompared: true,
    audit: "rules-changed",
  },
  selector: {
    input: z.string().max(maxRuleLength, tooLong).nullish(),
    shown: z.string().nullable(),
    empty: null,
    store: { column: "selector", as: "plain" },
    group: { shape: z.string().max(maxRuleLength).nullable().default(null), combine: "override" },
    isCompared: true,
    audit: "rules-changed",
  },
  awaited: {
    input: z
      .boolean()
      .optional()
      .describe("Whether the selector may match nothing at first; you get an alert when it matches"),
    shown: z.boolean(),
    empty: false,
    store: { column: "awaited", as: "plain" },
    isCompared: true,
    audit: "rules-changed",
  },
  waitFor: {
    input: WaitFor.nullish(),
    shown: WaitFor.nullable(),
    empty: null,
    store: { column: "wait_for", as: "json" },
    audit: "rules-changed",
  },
  pageSteps: {
    input: PageSteps.nullish().describe(
      "What is done on the page before the capture, in the format of the DevTools Recorder; an empty list for nothing, null for the group’s steps. What is typed into password fields becomes a secret",
    ),
    shown: PageSteps.nullable(),
    empty: null,
    group: { shape: PageSteps.nullable().default(null), combine: "override" },
    audit: "rules-changed",
  },
  stepSecrets: {
    input: StepSecrets.optional(),
    shown: StepSecrets.describe("Values are masked"),
    empty: [],
    store: { column: "step_secrets_sealed", as: "sealed", context: "job-step-secrets" },
    group: {
      shape: StepSecrets.default([]),
      combine: "byName",
      column: "step_secrets_sealed",
    },
    isSecret: true,
    audit: "rules-changed",
  },
  identity: {
    input: ChosenIdentity.nullish().describe(
      "Who the page is captured as: the id of an identity, “none” for nobody, null for the group’s. A group’s identity is used for its jobs on the identity’s sites",
    ),
    shown: ChosenIdentity.nullable(),
    empty: null,
    group: { shape: ChosenIdentity.nullable().default(null), combine: "override" },
    audit: "rules-changed",
  },
  sharesSignedIn: {
    input: z
      .boolean()
      .nullish()
      .describe(
        "Whether share links, public reports and feeds may show what was captured behind a sign-in; null for the group’s choice, which is no unless it is set",
      ),
    shown: z.boolean().nullable(),
    empty: null,
    group: { shape: z.boolean().nullable().default(null), combine: "override" },
    audit: "rules-changed",
  },
  browser: {
    input: BrowserSettings.nullish(),
    shown: BrowserSettings.nullable(),
    empty: null,
    group: { shape: BrowserSettings.nullable().default(null), combine: "byPart" },
    audit: "rules-changed",
  },
  proxies: {
    input: ChosenProxies.nullish(),
    shown: ChosenProxies.nullable(),
    empty: null,
    group: { shape: ChosenProxies.nullable().default(null), combine: "override" },
    audit: "rules-changed",
  },
  secondOpinion: {
    input: SecondOpinion.nullish(),
    shown: SecondOpinion.nullable(),
    empty: null,
    group: { shape: SecondOpinion.nullable().default(null), combine: "byPart" },
  },
  ignore: {
    input: z
      .array(z.string().min(1).max(maxRuleLength, tooLong))
      .max(50, "At most 50 things to ignore.")
      .optional(),
    shown: z.array(z.string()),
    empty: [],
    store: { column: "ignore", as: "json" },
    group: {
      shape: z
        .array(z.string().min(1).max(maxRuleLength))
        .max(50, "At most 50 things to ignore.")
        .default([])
        .describe("Added to the job's own ignore rules"),
      combine: "union",
    },
    isCompared: true,
    audit: "rules-changed",
  },
  joinsSelector: {
    input: z
      .boolean()
      .optional()
      .describe("Whether the job's own selector is added to its group's, instead of replacing it"),
    shown: z.boolean(),
    empty: false,
    isCompared: true,
    audit: "rules-changed",
  },
  steps: {
    input: TextSteps.nullish().describe(
      "What is done with the lines of what is compared, one step after the other; null for the group's steps",
    ),
    shown: TextSteps.nullable(),
    empty: null,
    group: { shape: TextSteps.nullable().default(null), combine: "override" },
    isCompared: true,
    audit: "rules-changed",
  },
  compareAs: {
    input: CompareAs.nullish().describe(
      "page: as a reader sees it; source: the body as it was received, as text; null for the group's choice",
    ),
    shown: CompareAs.nullable(),
    empty: null,
    group: { shape: CompareAs.nullable().default(null), combine: "override" },
    isCompared: true,
    audit: "rules-changed",
  },
  notInherited: {
    input: NotInherited.nullish(),
    shown: NotInherited.nullable(),
    empty: null,
    isCompared: true,
    audit: "rules-changed",
  },
  alertIf: {
    input: AlertIf.nullish().describe("Which changes send an alert; null for all changes"),
    shown: AlertIf.nullable(),
    empty: null,
    store: { column: "alert_if", as: "json" },
    group: { shape: AlertIf.nullable().default(null), combine: "override" },
    isCompared: true,
    audit: "rules-changed",
  },
  values: {
    input: z
      .array(Follow)
      .max(10, "At most 10 values.")
      .refine(
        (list) => new Set(list.map(({ name }) => name)).size === list.length,
        "Two values have the same name.",
      )
      .optional()
      .describe("Values that each check reads from the page"),
    shown: z.array(Follow),
    empty: [],
    store: { column: "follow", as: "json" },
    isCompared: true,
    audit: "rules-changed",
  },
} as const satisfies Record<string, SettingRow>;

type Rows = typeof jobSettings;
export type SettingName = keyof Rows;
export type SettingValue<Name extends SettingName> = z.output<Rows[Name]["shown"]>;
export type SettingValues = { [Name in SettingName]: SettingValue<Name> };
/** Settings as the API takes them. */
export type SettingsInput = z.output<z.ZodObject<typeof inputShape>>;

type NamesWith<Part> = { [Name in SettingName]: Rows[Name] extends Part ? Name : never }[SettingName];
type SealedName = NamesWith<{ store: { as: "sealed" } }>;
/** Settings that can be read without a key. */
export type PlainName = Exclude<SettingName, SealedName>;
/** Settings in the shared column. */
export type SharedName = Exclude<SettingName, NamesWith<{ store: object }>>;
export type SecretName = NamesWith<{ isSecret: true }>;
export type ComparedName = NamesWith<{ isCompared: true }>;
export type GroupName = NamesWith<{ group: object }>;
/** Group defaults in the column `handed`. */
export type InheritedName = Exclude<GroupName, NamesWith<{ group: { column: string } }>>;

export const settingRow = (name: SettingName): SettingRow => jobSettings[name];
export const settingNames = Object.keys(jobSettings) as SettingName[];
const namesWith = <Name extends SettingName>(has: (row: SettingRow) => boolean) =>
  settingNames.filter((name) => has(settingRow(name))) as Name[];
export const secretNames = namesWith<SecretName>(({ isSecret }) => isSecret === true);
export const comparedNames = namesWith<ComparedName>(({ isCompared }) => isCompared === true);
export const groupNames = namesWith<GroupName>(({ group }) => group !== undefined);
/** The settings whose change alone the audit trail lists as a change of rules. */
export const ruleNames = namesWith(({ audit }) => audit === "rules-changed");

/** The settings that decide what is alerted when two captures differ, with the group's defaults applied. */
export type ComparedSettings = Pick<SettingValues, ComparedName>;

const shapeOf = <Part extends "input" | "shown">(part: Part) =>
  Object.fromEntries(settingNames.map((name) => [name, jobSettings[name][part]])) as {
    [Name in SettingName]: Rows[Name][Part];
  };
export const inputShape = shapeOf("input");
export const shownShape = shapeOf("shown");
export const groupShape = Object.fromEntries(
  groupNames.map((name) => [name, jobSettings[name].group.shape]),
) as {
  [Name in GroupName]: Rows[Name]["group"]["shape"];
};

/** The mask for zod's `pick`. */
export const maskOf = <Name extends SettingName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>;
