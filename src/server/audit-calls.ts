import type { FastifyRequest } from "fastify";
import { describeDevice } from "#accounts/device.ts";
import type { AuditAction } from "#contract/audit.ts";
import { type ChannelId, channels } from "#contract/channels.ts";
import type { RouteName } from "#contract/routes.ts";
import { listApiKeys } from "#storage/api-keys.ts";
import type { Origin } from "#storage/audit.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { findGroup } from "#storage/groups.ts";
import { findJob } from "#storage/jobs.ts";
import { listReports } from "#storage/reports.ts";
import type { App } from "./app.ts";

type Asked = {
  accountId: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
};
type Audited = {
  action: AuditAction;
  about?: (app: App, asked: Asked) => Promise<string | undefined> | string;
};

const job = async (app: App, { accountId, params }: Asked) =>
  (await findJob(app.db, accountId, params.jobId ?? ""))?.name;
const group = async (app: App, { accountId, params }: Asked) =>
  (await findGroup(app.db, accountId, params.groupId ?? ""))?.name;
const report = async (app: App, { accountId, params }: Asked) =>
  (await listReports(app.db, accountId)).find(({ id }) => id === params.reportId)?.title;
const title = (_: App, { body }: Asked) => (typeof body.title === "string" ? body.title : "");
const channel = (_: App, { params }: Asked) => channels[params.channel as ChannelId]?.name ?? "";
const rules = [
  "selector",
  "ignore",
  "awaited",
  "waitFor",
  "lookup",
  "headers",
  "trigger",
  "alertIf",
  "values",
];

/** Why a call isn't listed in the trail. */
const unlisted = {
  shows: "It shows part of what the account keeps, as the account's own pages do.",
  looksOnly: "It tries something out or looks at it; nothing is changed or opened.",
  nobody: "Nobody is signed in, and nothing of an account is changed.",
  ownEntry: "It writes its own entry, in the transaction that does the work.",
  byPublicLink: "It shows what its owner opened to the public; opening it is listed.",
  tidies: "It sorts or marks what the owner sees; nothing is opened or lost.",
  recordsItself:
    "What it did is kept where it happened: with the execution, the trigger's runs or the message.",
} as const;

type Listed = Audited | ((asked: Asked) => Audited);

/**
 * Of every call either what the trail says of it, or why it says nothing. Listed is what changes settings, reads much at
 * once, or opens something to the public. What it is about is asked before the call, since some calls delete it.
 */
export const trail: Record<RouteName, Listed | { unlisted: string }> = {
  register: { unlisted: unlisted.nobody },
  login: { unlisted: unlisted.ownEntry },
  demo: { unlisted: "Visitors share the demo account: none of them may see where the others came from." },
  logout: { action: "signed-out" },
  activate: {
    unlisted: "Before it there is no account that anybody could use; the trail begins with a sign-in.",
  },
  recover: { unlisted: unlisted.nobody },
  recovery: { unlisted: "It names the API keys to whoever has the mailed link; using the link is listed." },
  resetPassword: { unlisted: unlisted.ownEntry },
  me: { unlisted: unlisted.shows },
  updateMe: { action: "profile-changed" },
  deleteMe: { unlisted: "The trail is deleted with its account; the owner is told by mail." },
  putPhoto: { action: "photo-changed" },
  photo: { unlisted: unlisted.shows },
  updateNotificationSettings: {
    action: "notifications-changed",
    about: (_, { body }) =>
      Object.entries(body)
        .map(
          ([name, isOn]) => `${name === "emailNotifications" ? "Mail" : "Telegram"} ${isOn ? "on" : "off"}`,
        )
        .join(", "),
  },

  audit: { unlisted: unlisted.shows },
  exportAudit: { action: "activity-exported" },

  listPlans: { unlisted: unlisted.shows },
  listInvoices: { unlisted: unlisted.shows },
  billingState: { unlisted: unlisted.shows },
  preparePayment: {
    unlisted: "A checkout changes nothing until it is paid, which is listed as a change of plan.",
  },
  changePlan: { unlisted: unlisted.ownEntry },
  cancelSubscription: { action: "plan-cancelled" },
  resumeSubscription: { action: "plan-resumed" },
  billingWebhook: { unlisted: unlisted.ownEntry },
  completeSandboxPayment: { unlisted: unlisted.ownEntry },
  advanceSandboxClock: { unlisted: unlisted.ownEntry },

  site: { unlisted: unlisted.nobody },
  portrait: { unlisted: unlisted.nobody },
  health: { unlisted: unlisted.nobody },
  readiness: { unlisted: unlisted.nobody },
  metrics: { unlisted: unlisted.nobody },
  listMails: { unlisted: unlisted.nobody },
  readMail: { unlisted: unlisted.nobody },

  listGroups: { unlisted: unlisted.shows },
  createGroup: { unlisted: unlisted.tidies },
  group: { unlisted: unlisted.shows },
  renameGroup: { unlisted: unlisted.tidies },
  putGroupSettings: { action: "rules-changed", about: group },
  deleteGroup: { action: "group-deleted", about: group },
  createJob: { action: "job-created", about: (_, { body }) => String(body.name) },
  addToGroup: {
    action: "job-changed",
    about: async (app, { accountId, body }) => {
      const moved = await findJob(app.db, accountId, String(body.jobId));
      return moved && `${moved.name}: group`;
    },
  },
  listJobs: { unlisted: unlisted.shows },
  job: { unlisted: unlisted.shows },
  updateJob: ({ body }) => {
    const fields = Object.keys(body);
    const isRules = fields.length > 0 && fields.every((field) => rules.includes(field));
    const about = async (app: App, asked: Asked) => `${await job(app, asked)}: ${fields.join(", ")}`;
    return { action: isRules ? "rules-changed" : "job-changed", about };
  },
  setJobStatus: {
    action: "job-changed",
    about: async (app, asked) => `${await job(app, asked)}: ${asked.params.status?.toLowerCase()}`,
  },
  deleteJob: { action: "job-deleted", about: job },
  cloneJob: { action: "job-created", about: job },
  runJob: { unlisted: unlisted.recordsItself },
  jobLogs: { unlisted: unlisted.shows },
  executions: { unlisted: unlisted.shows },
  values: { unlisted: unlisted.shows },
  execution: { unlisted: unlisted.shows },
  executionImage: { unlisted: unlisted.shows },
  executionHtml: { unlisted: unlisted.shows },
  executionText: { unlisted: unlisted.shows },
  executionThumbnail: { unlisted: unlisted.shows },
  metadata: { unlisted: unlisted.shows },
  compare: { unlisted: unlisted.shows },
  leftOut: { unlisted: unlisted.shows },
  timeline: { unlisted: unlisted.shows },
  jobStatistics: { unlisted: unlisted.shows },
  resume: { unlisted: unlisted.shows },
  changes: { unlisted: unlisted.shows },
  notifications: { unlisted: unlisted.shows },
  markRead: { unlisted: unlisted.tidies },
  events: { unlisted: unlisted.shows },

  exportJob: {
    action: "history-exported",
    about: async (app, asked) => `${await job(app, asked)}: ${String(asked.query.format)}`,
  },
  exportAccount: { action: "archive-downloaded" },
  importJobs: { action: "jobs-imported" },
  importWithProgress: { unlisted: "It writes the entry of importJobs itself, when the import is done." },

  createReport: { action: "report-made", about: title },
  listReports: { unlisted: unlisted.shows },
  deleteReport: { action: "report-deleted", about: report },
  reportPdf: { action: "report-downloaded", about: async (app, asked) => `${await report(app, asked)}: PDF` },
  reportHtml: {
    action: "report-downloaded",
    about: async (app, asked) => `${await report(app, asked)}: HTML`,
  },
  shareReport: {
    action: "report-shared",
    about: async (app, asked) => `${await report(app, asked)}: ${String(asked.body.days)} days`,
  },
  unshareReport: { action: "report-unshared", about: report },
  sharedReport: { unlisted: unlisted.byPublicLink },
  createSchedule: { action: "schedule-made", about: title },
  listSchedules: { unlisted: unlisted.shows },
  deleteSchedule: { action: "schedule-deleted" },
  evidence: { unlisted: unlisted.shows },
  setEvidence: { action: "evidence-changed", about: (_, { body }) => (body.mail ? "Mail on" : "Mail off") },

  createShare: { action: "share-made", about: job },
  listShares: { unlisted: unlisted.shows },
  share: { unlisted: unlisted.byPublicLink },
  deleteShare: { action: "share-revoked" },
  shareImage: { unlisted: unlisted.byPublicLink },
  shareHtml: { unlisted: unlisted.byPublicLink },

  noise: { unlisted: unlisted.shows },
  unlearnNoise: { action: "rules-changed", about: job },
  takeBack: { action: "rules-changed", about: job },
  markNoise: { action: "rules-changed", about: job },
  answerOften: { action: "rules-changed", about: job },
  oftenPage: { unlisted: unlisted.nobody },
  oftenByLink: { unlisted: unlisted.ownEntry },

  channels: { unlisted: unlisted.shows },
  putChannelAddress: { action: "channel-linked", about: channel },
  removeChannel: { action: "channel-removed", about: channel },
  paces: { unlisted: unlisted.shows },
  putPace: { action: "notifications-changed", about: channel },
  testChannel: { unlisted: unlisted.recordsItself },
  renewBotToken: { action: "secret-renewed", about: () => "Telegram" },
  renewSigningSecret: { action: "secret-renewed", about: () => "HTTP triggers" },
  testTrigger: { unlisted: unlisted.looksOnly },
  runTriggerAgain: { unlisted: unlisted.recordsItself },
  listTriggerRuns: { unlisted: unlisted.shows },
  unsubscribePage: { unlisted: unlisted.nobody },
  unsubscribe: { unlisted: unlisted.ownEntry },
  telegramWebhook: { unlisted: unlisted.ownEntry },
  pushKey: { unlisted: unlisted.shows },
  addBrowser: { action: "channel-linked", about: () => channels.push.name },
  removeBrowser: { action: "channel-removed", about: () => channels.push.name },
  templates: { unlisted: unlisted.shows },
  putTemplate: { action: "notifications-changed", about: channel },
  previewTemplate: { unlisted: unlisted.looksOnly },

  tryRules: { unlisted: unlisted.looksOnly },
  compareByRules: { unlisted: unlisted.looksOnly },
  coverRules: { unlisted: unlisted.looksOnly },
  elements: { unlisted: unlisted.shows },
  pickElement: { unlisted: unlisted.shows },
  askPreview: { unlisted: unlisted.looksOnly },
  preview: { unlisted: unlisted.shows },
  previewImage: { unlisted: unlisted.shows },
  previewElements: { unlisted: unlisted.shows },
  pickPreviewElement: { unlisted: unlisted.shows },
  coverPreview: { unlisted: unlisted.looksOnly },

  listApiKeys: { unlisted: unlisted.shows },
  createApiKey: {
    action: "key-made",
    about: (_, { body }) => `${String(body.name)} (${String(body.scope)})`,
  },
  revokeApiKey: {
    action: "key-revoked",
    about: async (app, { accountId, params }) =>
      (await listApiKeys(app.db, accountId)).find(({ id }) => id === params.keyId)?.name,
  },
  mcp: { unlisted: "Each tool of an agent is a call of its own, and listed as that." },
  listFeeds: { unlisted: unlisted.shows },
  createFeed: { action: "feed-made" },
  renewFeed: { action: "secret-renewed", about: () => "Feed" },
  deleteFeed: { action: "feed-ended" },
  feed: { unlisted: unlisted.byPublicLink },
};

/** From where a call came, as it is written down. */
export function originOf({ ip, headers, actor }: FastifyRequest): Origin {
  const device = actor && "keyId" in actor ? `API key ${actor.name}` : describeDevice(headers["user-agent"]);
  return { address: ip, device };
}

/** Answers what writes a call down once it has succeeded; undefined for calls that nobody has to know of. */
export async function prepareAudit(
  app: App,
  name: string,
  request: FastifyRequest,
): Promise<(() => Promise<void>) | undefined> {
  const found = trail[name as RouteName];
  const accountId = request.actor?.accountId;
  if (!accountId || "unlisted" in found) return undefined;
  // Visitors share the demo account: none of them may see where the others came from.
  if (accountId === app.demoAccountId) return undefined;
  const query = request.query as Record<string, unknown>;
  // A trial changes nothing.
  if (query.dryRun === "true") return undefined;
  const asked = {
    accountId,
    params: request.params as Record<string, string>,
    query,
    body: (request.body ?? {}) as Record<string, unknown>,
  };
  const { action, about } = typeof found === "function" ? found(asked) : found;
  const entry = { action, about: await about?.(app, asked), ...originOf(request) };
  return () => addAuditEntry(app.db, accountId, entry);
}
