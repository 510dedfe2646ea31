import { z } from "zod";
import { severities } from "#detection/verdict.ts";
import { Outcome } from "./account.ts";
import { AlertIf, Follow } from "./alert-if.ts";
import { channelIds } from "./channels.ts";
import { Delivery, PassedOver, TriggerRun } from "./delivery.ts";

const frequencyRule = { maximumMinutes: 43_200 } as const;
export const headerRule = { maximum: 10 } as const;

const visible = (label: string, maximum: number) =>
  z
    .string(`${label} is missing.`)
    .normalize("NFC")
    .trim()
    .refine(
      (value) => value !== "" && Array.from(value).length <= maximum,
      `${label} must be 1-${maximum} characters.`,
    )
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters.`);

const name = visible("Name", 120);
const url = z.string("URL is missing.").min(1, "URL is missing.").max(2048, "URL is too long.");
const frequency = z.coerce
  .number("Frequency must be a number of minutes.")
  .int("Frequency must be whole minutes.")
  .min(1, "Frequency must be at least one minute.")
  .max(frequencyRule.maximumMinutes, `Frequency must be at most ${frequencyRule.maximumMinutes} minutes.`);

const Header = z.object({ name: z.string().min(1).max(256), value: z.string().max(8192) });
const Headers = z.array(Header).max(headerRule.maximum, `At most ${headerRule.maximum} headers.`);
const strings = z.array(visible("A string", 1000)).max(50, "At most 50 strings.");

export const triggerMethods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"] as const;
export const Trigger = z.object({
  url,
  method: z.enum(triggerMethods),
  body: z
    .string()
    .max(64 * 1024, "The trigger's body is larger than 64 KiB.")
    .default(""),
  strings: strings.default([]),
  headers: Headers.default([]),
});
export type Trigger = z.infer<typeof Trigger>;

export const Lookup = z.object({ strings: strings.min(1), when: z.enum(["appears", "disappears"]) });
export type Lookup = z.infer<typeof Lookup>;

const WaitFor = z
  .object({
    selector: z.string().trim().max(1000).optional(),
    seconds: z
      .number("Say how many seconds to wait.")
      .int("Whole seconds.")
      .min(1, "At least one second.")
      .max(15, "At most 15 seconds.")
      .optional(),
  })
  .describe("What a page needs before it is looked at: an element, some seconds, or both");
export type WaitFor = z.infer<typeof WaitFor>;

export const ruleLength = 1000;
const tooLong = "A rule is at most 1,000 characters.";
const Schedule = z
  .object({
    zone: z.string("Say in which time zone.").max(60).describe("As Europe/Berlin"),
    week: z
      .array(z.array(z.int().min(0).max(23)).max(24))
      .length(7, "A week has seven days.")
      .optional()
      .describe("Monday first: the hours in which checks are made, as often as the frequency says"),
    cron: z
      .string()
      .trim()
      .max(100, "At most 100 characters.")
      .optional()
      .describe("Minute, hour, day, month, weekday; instead of hours and frequency"),
  })
  .describe("When checks are made; the plan's least interval holds for every two of them");

const said = (label: string, maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum, `At most ${maximum} characters.`)
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters.`);
const requestMethods = ["GET", "POST", "PUT"] as const;
const PageRequest = z
  .object({
    method: z.enum(requestMethods, "Say GET, POST or PUT.").default("GET"),
    as: z.enum(["form", "json"], "Say form or json.").default("form").describe("What the body is"),
    body: z
      .string()
      .max(64 * 1024, "The body is larger than 64 KiB.")
      .default("")
      .describe("May carry dates, as {{date:yyyy-MM-dd}}; so may the URL"),
    userAgent: said("The user agent", 300).default("").describe("Empty: the browser's own"),
    language: said("The language", 100)
      .regex(/^[\w\-,;=.* ]*$/, "A language as de-DE, or several: de-DE, de;q=0.8.")
      .default("")
      .describe("As de-DE; empty: en-US"),
  })
  .describe("How the page is asked for");
export type PageRequest = z.infer<typeof PageRequest>;

const times = z.literal([1, 3, 10], "After 1, 3 or 10 failed checks.");
const TellFailures = z
  .object({
    down: times.describe("The site does not answer, or not as it should"),
    gone: times.describe("It answers, but nothing matches the selector"),
  })
  .describe("After how many failed checks in a row to tell; and again when they end");
export type TellFailures = z.infer<typeof TellFailures>;

const ChosenChannels = z
  .array(z.enum(channelIds))
  .min(1, "Choose at least one channel.")
  .describe("By which of the account's channels alerts go; null for all");

const rules = {
  channels: ChosenChannels.nullish(),
  request: PageRequest.nullish(),
  tellFailures: TellFailures.nullish(),
  schedule: Schedule.nullish(),
  headers: Headers.optional(),
  trigger: Trigger.nullish(),
  lookup: Lookup.nullish(),
  selector: z.string().max(ruleLength, tooLong).nullish(),
  awaited: z
    .boolean()
    .optional()
    .describe("The selector's match may not be there yet: that it appears is told"),
  waitFor: WaitFor.nullish(),
  ignore: z
    .array(z.string().min(1).max(ruleLength, tooLong))
    .max(50, "At most 50 things to ignore.")
    .optional(),
  alertIf: AlertIf.nullish().describe("What of the changes is told; null for every one"),
  values: z
    .array(Follow)
    .max(10, "At most 10 values.")
    .refine(
      (list) => new Set(list.map(({ name }) => name)).size === list.length,
      "Two values have the same name.",
    )
    .optional()
    .describe("What each check reads off the page"),
};

/** What a group hands down to its jobs. */
export const GroupSettings = z.object({
  headers: Headers.default([]).describe("Sent with every job's; a job's own of the same name wins"),
  selector: z.string().max(1000).nullable().default(null),
  ignore: z
    .array(z.string().min(1).max(1000))
    .max(50, "At most 50 things to ignore.")
    .default([])
    .describe("Besides what a job ignores itself"),
  alertIf: AlertIf.nullable().default(null),
  schedule: Schedule.nullable().default(null),
  tellFailures: TellFailures.nullable().default(null),
  channels: ChosenChannels.nullable().default(null),
});
export type GroupSettings = z.infer<typeof GroupSettings>;

export const NewGroup = z.object({ name });
export const NewJob = z.object({ name, url, frequency, groupId: z.uuid("Choose a group."), ...rules });
export type NewJob = z.infer<typeof NewJob>;

/** Empty fields fall back to the current values. */
export const JobUpdate = z.object({
  name: z.union([z.literal(""), name]).optional(),
  url: z.union([z.literal(""), url]).optional(),
  frequency: z.union([z.literal(""), z.null(), frequency]).optional(),
  groupId: z.uuid().optional(),
  ...rules,
});
export type JobUpdate = z.infer<typeof JobUpdate>;

const jobStatuses = ["ACTIVE", "INACTIVE", "DISABLED", "PAUSED", "INTERRUPTED"] as const;
export type JobStatus = (typeof jobStatuses)[number];
export const settableStatuses = ["ACTIVE", "DISABLED", "PAUSED"] as const;

const Severity = z.enum(severities);
export type Severity = z.infer<typeof Severity>;

const ShownValues = z.record(
  z.string(),
  z.object({
    text: z.string().nullable().describe("Null where it is missing"),
    number: z.number().nullable(),
  }),
);

/** One line of a job's history. */
export const Execution = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  index: z.int().describe("Counts from 1, oldest first"),
  createdAt: z.iso.datetime(),
  status_code: z.int().nullable(),
  changed: z.boolean(),
  folded: z.boolean().describe("Changed, but told in the feed and the day's digest only"),
  untold: z.string().nullable().describe("Changed, but not told, and why"),
  values: ShownValues.nullable().describe("What was read of the followed values"),
  similarity: z.number().nullable(),
  severity: Severity.nullable(),
  summary: z.string(),
  error: z.string().nullable().describe("Why the capture failed, in words"),
  truncated: z.boolean(),
  hasImage: z.boolean(),
  durationMs: z.int(),
  attempts: z.int(),
});
export type Execution = z.infer<typeof Execution>;

const ms = z.int().min(0);
/** Where the time of a check went, in milliseconds. */
const Stages = z.object({
  wait: ms.describe("For its turn, from when it was due or asked for"),
  capture: ms,
  confirm: ms.describe("Until the second look was taken; 0 where none was needed"),
  compare: ms,
  store: ms,
});
export type Stages = z.infer<typeof Stages>;

export const Group = z.object({ id: z.uuid(), name: z.string(), jobs: z.int() });

// Answers are not checked again for what was checked when they were given.
const ShownTrigger = z.object({
  url: z.string(),
  method: z.enum(triggerMethods),
  body: z.string(),
  strings: z.array(z.string()),
  headers: z.array(Header),
});
const ShownLookup = z.object({ strings: z.array(z.string()), when: z.enum(["appears", "disappears"]) });

export const Job = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  status: z.enum(jobStatuses),
  activity: z.enum(["idle", "queued", "running"]),
  frequencyMinutes: z.int(),
  groupId: z.uuid(),
  group: z.object({ id: z.uuid(), name: z.string() }),
  headers: z.array(Header).describe("Values are masked"),
  trigger: ShownTrigger.nullable().describe("Header values are masked"),
  lookup: ShownLookup.nullable(),
  selector: z.string().nullable(),
  awaited: z.boolean(),
  waitFor: WaitFor.nullable(),
  ignore: z.array(z.string()),
  schedule: Schedule.nullable(),
  tellFailures: TellFailures.nullable(),
  request: PageRequest.nullable(),
  channels: z.array(z.enum(channelIds)).nullable(),
  inherited: GroupSettings.nullable().describe(
    "What the job's group hands down; what the job says itself wins",
  ),
  alertIf: AlertIf.nullable(),
  values: z.array(Follow),
  createdAt: z.iso.datetime(),
  nextRunAt: z.iso.datetime().nullable(),
  failures: z.int().describe("Failed checks in a row"),
  executionsTotal: z.int(),
  changesTotal: z.int(),
  executions: z.array(Execution).describe("The newest 50"),
});
export type Job = z.infer<typeof Job>;

/** `Job` as the specification has it (docs/decisions/0019). */
export const GroupWithJobs = z.object({
  id: z.uuid(),
  name: z.string(),
  settings: GroupSettings.describe("Header values are masked"),
  Job: z.array(Job),
});
export const GroupReply = Outcome.extend({ id: z.uuid(), name: z.string() });
export const JobReply = Outcome.extend({ job: Job });
export const AddToGroup = z.object({ jobId: z.uuid(), groupId: z.uuid() });

export const GroupParams = z.object({ groupId: z.uuid() });
export const JobParams = z.object({ jobId: z.uuid() });
export const StatusParams = JobParams.extend({ status: z.string().max(20) });
export const ExecutionParams = JobParams.extend({ executionId: z.uuid() });

const page = { limit: z.coerce.number().int().min(1).max(100).default(50), cursor: z.uuid().optional() };
export const Page = z.object(page);
export const HistoryPage = z.object({ ...page, only: z.literal("changes").optional() });
export const LogPage = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(200),
  cursor: z.coerce.number().int().min(1).optional(),
});
export const ExecutionPage = z.object({
  executions: z.array(Execution),
  nextCursor: z.uuid().nullable(),
  total: z.int(),
});

export const ValuesQuery = z.object({ limit: z.coerce.number().int().min(1).max(2000).default(500) });
export const ValueHistory = z.object({
  points: z.array(
    Execution.pick({ id: true, createdAt: true, changed: true }).extend({ values: ShownValues }),
  ),
});

export const LogEntry = z.object({
  id: z.int(),
  level: z.enum(["info", "warn", "error"]),
  meta: z.string(),
  createdAt: z.iso.datetime(),
  executionId: z.uuid().nullable(),
});
export const Metadata = z.object({
  image: z.string().describe("PNG, base64; empty when there is none"),
  html: z.string().describe("UTF-8 text, base64"),
});

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const Sight = z.object({
  only: z.array(Box).nullable().describe("Null: all of it"),
  hidden: z.array(Box),
});
const region = z.int().optional().describe("Which of the comparison's regions shows it");
const Reason = z.looseObject({
  kind: z.string(),
  severity: Severity,
  summary: z.string(),
  changes: z.array(
    z.looseObject({
      id: z.string().optional().describe("Its name, by which it can be called noise"),
      where: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      region,
    }),
  ),
  count: z.int(),
});
const Finding = z.object({ kind: z.string(), severity: Severity, value: z.string(), where: z.string() });
const Ignored = z.looseObject({
  place: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  why: z.string(),
  since: z.string().optional().describe("Since when it is known for noise"),
  said: z.string().optional().describe("By which name its user called it noise"),
  region,
  count: z.int().optional().describe("Of how many differences of one sort it is the example"),
});

const Often = z.object({
  place: z.string(),
  times: z.int().describe("At how many of the last five checks it changed"),
  folded: z.boolean(),
  isNew: z.boolean(),
});
export const oftenAnswers = ["keepTelling", "daily", "noise"] as const;
export type OftenAnswer = (typeof oftenAnswers)[number];
export const OftenReply = z.object({
  answer: z.enum(oftenAnswers, "Say keepTelling, daily or noise."),
});

const VerdictReply = z.object({
  changed: z.boolean(),
  folded: z.boolean().optional(),
  waits: z.literal(true).optional().describe("Folded until the next check; pushed if that finds it as it is"),
  untold: z.string().optional(),
  often: z.array(Often).optional().describe("Places that keep changing and of which nothing was said yet"),
  similarity: z.number(),
  severity: Severity,
  summary: z.string(),
  reasons: z.array(Reason),
  findings: z.array(Finding),
  ignored: z.array(Ignored),
  ignoredCount: z.int().optional().describe("The list is cut, this is exact"),
});

export const ExecutionDetail = Execution.extend({
  verdict: VerdictReply.nullable().describe("Null for the first check and for failed ones"),
  baselineId: z.uuid().nullable(),
  previousId: z.uuid().nullable(),
  nextId: z.uuid().nullable(),
  triggerRuns: z.array(TriggerRun).describe("Newest first"),
  deliveries: z.array(Delivery),
  passedOver: z.array(PassedOver).describe("Channels by which a change was not told"),
  seal: z
    .object({ position: z.int().describe("Its place in the job's chain"), hash: z.string() })
    .nullable()
    .describe(
      "SHA-256 over what was recorded and over the seal before it; null until an old execution has joined",
    ),
  stages: Stages.extend({ deliver: ms.describe("Until the first message was sent; 0 where none was") })
    .nullable()
    .describe("Null for checks that failed on our side, and for those of older versions"),
});
export type ExecutionDetail = z.infer<typeof ExecutionDetail>;

export const CompareQuery = z.object({ from: z.uuid(), to: z.uuid() });
export const Comparison = VerdictReply.extend({
  from: z.uuid(),
  to: z.uuid(),
  hunks: z
    .array(
      z.object({
        oldStart: z.int(),
        newStart: z.int(),
        removed: z.array(z.string()),
        added: z.array(z.string()),
      }),
    )
    .describe("Cut where they are too many"),
  regions: z.array(
    z.object({
      kind: z.enum(["added", "removed", "changed", "moved"]),
      old: Box.nullable(),
      new: Box.nullable(),
      says: z.string().optional().describe("What it is, in the page's words"),
      isNoise: z.literal(true).optional().describe("All that differs there was taken for noise"),
      at: z
        .object({ old: z.int().nullable(), new: z.int().nullable() })
        .optional()
        .describe("The element it shows, by its index in the HTML"),
    }),
  ),
  sights: z
    .object({ old: Sight.nullable(), new: Sight.nullable() })
    .optional()
    .describe("What of each picture counted, where the job's rules left out some"),
});

export const JobStatistics = z.array(
  z.object({ job_name: z.string(), logs: z.int(), executions: z.int(), errors: z.int() }),
);

const JobBrief = z.object({ id: z.uuid(), name: z.string(), groupId: z.uuid() });
/** Names as the specification has them (docs/decisions/0019). */
export const Resume = z.object({
  total_groups: z.int(),
  total_jobs: z.int(),
  total_executions: z.int(),
  most_executions: z.object({ job_name: z.string(), executions: z.int() }).nullable(),
  total_failed: z.int().describe("Jobs whose latest execution failed"),
  last_job: z.string().nullable(),
  stored_bytes: z.int(),
  recent_changes: z.array(Execution.extend({ job: JobBrief })),
  next_checks: z.array(JobBrief.extend({ nextRunAt: z.iso.datetime() })),
  failing_jobs: z.array(JobBrief.extend({ failures: z.int(), error: z.string().nullable() })),
});

const notificationKinds = [
  "change",
  "folded",
  "folding",
  "failing",
  "interrupted",
  "recovered",
  "delivery-failed",
  "plan",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

const Notification = z.object({
  id: z.uuid(),
  kind: z.enum(notificationKinds),
  jobId: z.uuid().nullable(),
  executionId: z.uuid().nullable(),
  severity: Severity,
  title: z.string(),
  message: z.string(),
  createdAt: z.iso.datetime(),
  read: z.boolean(),
});
export const Feed = z.object({
  notifications: z.array(Notification),
  unread: z.int().describe("Counted up to 100"),
  nextCursor: z.uuid().nullable(),
});
export const MarkRead = z.object({
  ids: z.array(z.uuid()).max(100).optional().describe("Without it, all of them"),
});

/** What GET /api/events tells, one JSON object an event. */
export type LiveEvent =
  | { kind: "queued" | "started" | "updated"; jobId: string }
  | { kind: "progress"; jobId: string; stage: Stage }
  | {
      kind: "finished";
      jobId: string;
      executionId: string;
      changed: boolean;
      failed: boolean;
      summary: string;
    }
  | { kind: "notification"; notificationId: string }
  | { kind: "report"; reportId: string; done: number; total: number }
  /** Groups, or the jobs in them, are others than before. */
  | { kind: "listed" };
export type Stage = "capturing" | "comparing" | "confirming" | "storing";
