import { z } from "zod";
import { severities } from "#detection/severity/severity.ts";
import { Outcome } from "./account.ts";
import { Delivery, PassedOver, TriggerRun } from "./delivery.ts";
import { maxJobName } from "./job-name.ts";
import { groupShape, inputShape, shownShape } from "./job-settings.ts";
import { Moment } from "./moment.ts";
import { StepRun, stepNumber } from "./page-steps.ts";
import { Opinion } from "./second-opinion.ts";
import { url, visibleText } from "./setting-shapes.ts";
import { troubleKinds, wallKinds } from "./wall.ts";

export {
  headerRule,
  Lookup,
  maxRuleLength,
  type PageRequest,
  type TellFailures,
  Trigger,
  triggerMethods,
  type WaitFor,
} from "./setting-shapes.ts";

const name = visibleText("Name", maxJobName);
/** Empty for a job that is named by its page's title. */
const nameOrTitle = z
  .string("Name must be a text.")
  .normalize("NFC")
  .trim()
  .refine((value) => Array.from(value).length <= maxJobName, `Name must be at most ${maxJobName} characters.`)
  .refine((value) => !/\p{Cc}/u.test(value), "Name must not contain control characters.")
  .default("")
  .describe("Without one, the job is named by the page’s title when it is captured first");
const maximumMinutes = 43_200;
const frequency = z.coerce
  .number("Frequency must be a number of minutes.")
  .int("Frequency must be whole minutes.")
  .min(1, "Frequency must be at least one minute.")
  .max(maximumMinutes, `Frequency must be at most ${maximumMinutes} minutes.`);

/** Group defaults: the settings that jobs inherit from their group. */
export const GroupSettings = z.object(groupShape);
export type GroupSettings = z.infer<typeof GroupSettings>;

export const NewGroup = z.object({ name });
export const NewJob = z.object({
  name: nameOrTitle,
  url,
  frequency,
  groupId: z.uuid("Choose a group."),
  ...inputShape,
});
export type NewJob = z.infer<typeof NewJob>;

/** Empty fields fall back to the current values. */
export const JobUpdate = z.object({
  name: z.union([z.literal(""), name]).optional(),
  url: z.union([z.literal(""), url]).optional(),
  frequency: z.union([z.literal(""), z.null(), frequency]).optional(),
  groupId: z.uuid().optional(),
  ...inputShape,
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
    text: z.string().nullable().describe("Null if the value wasn't found"),
    number: z.number().nullable(),
  }),
);

/** One execution, as listed in a job's history. */
export const Execution = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  index: z.int().describe("Number of the execution within its job, starting at 1"),
  createdAt: z.iso.datetime(),
  status_code: z.int().nullable(),
  changed: z.boolean(),
  folded: z
    .boolean()
    .describe("Whether the change is only in the notifications and the daily digest, without an alert"),
  untold: z.string().nullable().describe("Why a change was suppressed and not alerted; otherwise null"),
  values: ShownValues.nullable().describe("The followed values that were read from the page"),
  similarity: z.number().nullable(),
  severity: Severity.nullable(),
  summary: z.string(),
  error: z.string().nullable().describe("Why the check failed, as a sentence"),
  truncated: z.boolean(),
  hasImage: z.boolean(),
  durationMs: z.int(),
  attempts: z.int(),
  imported: z
    .object({
      at: z.iso.datetime(),
      archive: z.string().describe("Fingerprint (SHA-256) of the archive"),
      sealed: z
        .boolean()
        .describe("Whether its seal came with it; if not, nothing vouches for what the archive says"),
    })
    .nullable()
    .describe("Null for a check that was made on this installation"),
});
export type Execution = z.infer<typeof Execution>;

const ms = z.int().min(0);
/** How long each stage of a check took, in milliseconds. */
const Stages = z.object({
  wait: ms.describe("Milliseconds from when the check was due or requested until it started"),
  capture: ms,
  confirm: ms.describe("Milliseconds until the confirmation was captured; 0 if none was needed"),
  compare: ms,
  store: ms,
});
export type Stages = z.infer<typeof Stages>;

export const Group = z.object({ id: z.uuid(), name: z.string(), jobs: z.int() });

const Trouble = z.object({
  kind: z
    .enum(troubleKinds)
    .describe(
      "“down”: the site doesn’t answer as expected; “gone”: what is watched isn’t on the page; “wall”: the site shows something else instead of the page; “exit”: no proxy connects us to the site",
    ),
  wall: z.enum(wallKinds).nullable().describe("What is shown instead of the page"),
  message: z.string(),
  advice: z.string().nullable().describe("What may help"),
  since: z.iso.datetime(),
});

export const Job = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  status: z.enum(jobStatuses),
  activity: z.enum(["idle", "queued", "running"]),
  frequencyMinutes: z.int(),
  groupId: z.uuid(),
  group: z.object({ id: z.uuid(), name: z.string() }),
  ...shownShape,
  inherited: GroupSettings.nullable().describe(
    "Defaults of the job's group, which the job's own settings override; null if the group has none",
  ),
  createdAt: z.iso.datetime(),
  nextRunAt: z.iso.datetime().nullable(),
  deleteAt: z.iso
    .datetime()
    .nullable()
    .describe("When the job is deleted, if it was deleted and that can still be undone"),
  failures: z.int().describe("Number of failed checks in a row"),
  trouble: Trouble.nullable().describe("Why the last check failed; null if it didn’t"),
  executionsTotal: z.int(),
  changesTotal: z.int(),
  executions: z.array(Execution).describe("The newest 50 executions"),
});
export type Job = z.infer<typeof Job>;

/** The specification fixes the name `Job` (docs/decisions/0019). */
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
export const ExecutionStepParams = ExecutionParams.extend({ step: stepNumber });

const page = { limit: z.coerce.number().int().min(1).max(100).default(50), cursor: z.uuid().optional() };
export const NotificationsPage = z.object({
  ...page,
  until: Moment.optional().describe("Only notifications from before this time"),
});
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
  image: z.string().describe("Base64-encoded PNG; empty if there is no screenshot"),
  html: z.string().describe("Base64-encoded UTF-8 text"),
});

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const VisibleAreas = z.object({
  only: z.array(Box).nullable().describe("Areas that were compared; null if the whole picture was"),
  hidden: z.array(Box),
});
const region = z.int().optional().describe("Index of the comparison's region that shows it");
const Reason = z.looseObject({
  kind: z.string(),
  severity: Severity,
  summary: z.string(),
  changes: z.array(
    z.looseObject({
      id: z.string().optional().describe("Id with which the difference can be marked as noise"),
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
  since: z.string().optional().describe("Since when it has been known as noise"),
  said: z.string().optional().describe("Id of the user's feedback that marked it as noise"),
  region,
  count: z.int().optional().describe("Number of similar differences that this one represents"),
});

const Frequent = z.object({
  place: z.string(),
  times: z.int().describe("How many of the last five checks found a change there"),
  folded: z.boolean(),
  alternates: z
    .object({ versions: z.int(), times: z.int() })
    .optional()
    .describe("It goes back and forth between so many versions, so often at the last ten checks"),
  isNew: z.boolean(),
});
export const frequentChangeAnswers = ["keepTelling", "daily", "noise"] as const;
export type FrequentChangeAnswer = (typeof frequentChangeAnswers)[number];
export const OftenReply = z.object({
  answer: z.enum(frequentChangeAnswers, "Choose keepTelling, daily or noise."),
});

const VerdictReply = z.object({
  changed: z.boolean(),
  folded: z.boolean().optional(),
  waits: z
    .literal(true)
    .optional()
    .describe("Set if the change is pending: it is alerted only if the next check still sees it"),
  untold: z.string().optional(),
  met: z.string().optional().describe("The conditions that the change meets, in words"),
  often: z.array(Frequent).optional().describe("Locations that change often and have no feedback yet"),
  similarity: z.number(),
  severity: Severity,
  summary: z.string(),
  reasons: z.array(Reason),
  findings: z.array(Finding),
  ignored: z.array(Ignored),
  ignoredCount: z.int().optional().describe("Exact number of ignored differences; `ignored` may list fewer"),
});

export const ExecutionDetail = Execution.extend({
  verdict: VerdictReply.nullable().describe("Null for the first check and for failed checks"),
  baselineId: z.uuid().nullable(),
  previousId: z.uuid().nullable(),
  nextId: z.uuid().nullable(),
  triggerRuns: z.array(TriggerRun).describe("Newest first"),
  deliveries: z.array(Delivery),
  opinion: Opinion.nullable().describe("A language model's second opinion, if the job asks for one"),
  steps: z.array(StepRun).describe("What the steps before the capture did"),
  passedOver: z.array(PassedOver).describe("Channels that the change wasn't sent to, and why"),
  seal: z
    .object({ position: z.int().describe("Position in the job's chain of seals"), hash: z.string() })
    .nullable()
    .describe(
      "Fingerprint (SHA-256) over the recorded data and the previous seal; null for an older execution that isn't sealed yet",
    ),
  stages: Stages.extend({ deliver: ms.describe("Milliseconds until the first message; 0 if none was sent") })
    .nullable()
    .describe("Null for checks that failed on our side and for checks by older versions"),
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
    .describe("Changed lines; the list is cut if there are too many"),
  regions: z.array(
    z.object({
      kind: z.enum(["added", "removed", "changed", "moved"]),
      old: Box.nullable(),
      new: Box.nullable(),
      says: z.string().optional().describe("Description of the region in the page's words"),
      isNoise: z.literal(true).optional().describe("Set if everything that differs there is noise"),
      at: z
        .object({ old: z.int().nullable(), new: z.int().nullable() })
        .optional()
        .describe("Index in the HTML of the element that the region shows"),
    }),
  ),
  sights: z
    .object({ old: VisibleAreas.nullable(), new: VisibleAreas.nullable() })
    .optional()
    .describe("Areas of each picture that were compared, if the job's rules left some out"),
});

export const JobStatistics = z.array(
  z.object({ job_name: z.string(), logs: z.int(), executions: z.int(), errors: z.int() }),
);

const notificationKinds = [
  "change",
  "folded",
  "folding",
  "failing",
  "interrupted",
  "recovered",
  "found",
  "incident",
  "signed-out",
  "delivery-failed",
  "plan",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const Notification = z.object({
  id: z.uuid(),
  kind: z.enum(notificationKinds),
  jobId: z.uuid().nullable(),
  executionId: z.uuid().nullable(),
  incidentId: z.uuid().nullable().describe("The incident that it is about, if it is about several pages"),
  severity: Severity,
  title: z.string(),
  message: z.string(),
  createdAt: z.iso.datetime(),
  read: z.boolean(),
});
const JobBrief = z.object({ id: z.uuid(), name: z.string(), groupId: z.uuid() });
/** The specification fixes these names (docs/decisions/0019). */
export const Resume = z.object({
  total_groups: z.int(),
  total_jobs: z.int(),
  total_executions: z.int(),
  most_executions: z.object({ job_name: z.string(), executions: z.int() }).nullable(),
  total_failed: z.int().describe("Number of jobs whose latest execution failed"),
  last_job: z.string().nullable(),
  stored_bytes: z.int(),
  recent_changes: z.array(Execution.extend({ job: JobBrief })),
  next_checks: z.array(JobBrief.extend({ nextRunAt: z.iso.datetime() })),
  failing_jobs: z.array(JobBrief.extend({ failures: z.int(), error: z.string().nullable() })),
  unread_changes: z
    .array(Notification)
    .describe("At most eight changes that haven't been opened yet, most severe first"),
});

export const Feed = z.object({
  notifications: z.array(Notification),
  unread: z.int().describe("Number of unread notifications, counted up to 100"),
  nextCursor: z.uuid().nullable(),
});
export const MarkRead = z.object({
  ids: z.array(z.uuid()).max(100).optional().describe("Notifications to mark as read; all if omitted"),
});

/** What GET /api/events sends: one JSON object per event. */
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
  /** The crawl of a job's site has come further, or somebody paused it. */
  | { kind: "site"; jobId: string }
  /** The list of groups, or of the jobs in them, has changed. */
  | { kind: "listed" };
export type Stage = "capturing" | "comparing" | "confirming" | "storing";
