import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { type ChannelId, channels } from "#channels/channel-list.ts";
import type { NotificationSettings } from "#contract/account.ts";
import type { AuditAction } from "#contract/audit.ts";
import { nameFromUrl } from "#contract/job-name.ts";
import { ruleNames } from "#contract/job-settings.ts";
import type { RouteName } from "#contract/routes.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";
import { listApiKeys } from "#storage/api-keys.ts";
import type { Origin } from "#storage/audit.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { listBulkActions } from "#storage/bulk-actions.ts";
import type { Database } from "#storage/database.ts";
import { findGroup } from "#storage/groups.ts";
import { findIdentity } from "#storage/identities.ts";
import { listIncidentJobs } from "#storage/incidents.ts";
import { findJob, listJobsWithGroups } from "#storage/jobs.ts";
import { findProxies } from "#storage/proxies.ts";
import { listReports } from "#storage/reports.ts";
import { listSearchAlerts } from "#storage/search-alerts.ts";
import { findChangedFields } from "./changed-fields.ts";
import { describeDevice } from "./device.ts";
import { nameFields } from "./name-fields.ts";

type Deps = {
  db: Database;
  jobs: Pick<JobDeps, "secrets">;
  /** The account that all visitors share in demo mode. */
  demoAccountId?: string;
};
type Call = {
  accountId: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
};
type AuditRule = {
  action: AuditAction;
  about?: (deps: Deps, call: Call) => Promise<string | undefined> | string;
};

const job = async (deps: Deps, { accountId, params }: Call) =>
  (await findJob(deps.db, accountId, params.jobId ?? ""))?.name;
const group = async (deps: Deps, { accountId, params }: Call) =>
  (await findGroup(deps.db, accountId, params.groupId ?? ""))?.name;
const report = async (deps: Deps, { accountId, params }: Call) =>
  (await listReports(deps.db, accountId)).find(({ id }) => id === params.reportId)?.title;
const proxy = async (deps: Deps, { accountId, params }: Call) =>
  (await findProxies(deps.db, accountId, [params.proxyId ?? ""]))[0]?.name;
const identity = async (deps: Deps, { accountId, params }: Call) =>
  (await findIdentity(deps.db, accountId, params.identityId ?? ""))?.name;
const searchAlert = async (deps: Deps, { accountId, params }: Call) =>
  (await listSearchAlerts(deps.db, accountId)).find(({ id }) => id === params.alertId)?.name;
const title = (_: Deps, { body }: Call) => (typeof body.title === "string" ? body.title : "");
/** Names a few jobs and counts the others. */
const nameSome = (named: { name: string }[]) => {
  const names = named
    .map(({ name }) => name)
    .toSorted()
    .slice(0, 10);
  return [...names, ...(named.length > 10 ? [`${named.length - 10} more`] : [])].join(", ");
};
const incident = async (deps: Deps, { accountId, params }: Call) =>
  nameSome(await listIncidentJobs(deps.db, accountId, params.incidentId ?? ""));
const rules = new Set<string>(ruleNames);
const channel = (_: Deps, { params }: Call) => channels[params.channel as ChannelId]?.name ?? "";

const switchNames = {
  telegramNotifications: "Telegram",
  emailNotifications: "Mail",
  combineAlerts: "Combined alerts",
} as const satisfies Record<keyof z.infer<typeof NotificationSettings>, string>;

/** Reasons why a call isn't listed in the audit trail. */
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

/** A function returns null for a call that changes nothing. */
type Listed = AuditRule | ((call: Call) => AuditRule | null);

/**
 * For every call either its entry in the audit trail, or why it has none. A call is listed if it changes settings,
 * reads much at once, or makes something public. `about` is read before the call runs, because some calls delete it.
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
        .map(([name, isOn]) => `${switchNames[name as keyof typeof switchNames]} ${isOn ? "on" : "off"}`)
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
  createJob: {
    action: "job-created",
    about: (_, { body }) =>
      typeof body.name === "string" && body.name.trim() !== "" ? body.name : nameFromUrl(String(body.url)),
  },
  addToGroup: {
    action: "job-changed",
    about: async (deps, { accountId, body }) => {
      const moved = await findJob(deps.db, accountId, String(body.jobId));
      return moved && `${moved.name}: group`;
    },
  },
  listJobs: { unlisted: unlisted.shows },
  job: { unlisted: unlisted.shows },
  updateJob: ({ body }) => {
    const fields = Object.keys(body);
    const isRules = fields.length > 0 && fields.every((field) => rules.has(field));
    const about = async (deps: Deps, { accountId, params, body: update }: Call) => {
      const found = await findJob(deps.db, accountId, params.jobId ?? "");
      const changed = found ? findChangedFields(deps.jobs.secrets, found, update) : fields;
      return `${found?.name}: ${changed.length > 0 ? nameFields(changed) : "nothing changed"}`;
    };
    return { action: isRules ? "rules-changed" : "job-changed", about };
  },
  siteState: { unlisted: unlisted.shows },
  sitePages: { unlisted: unlisted.shows },
  siteFolders: { unlisted: unlisted.shows },
  siteTemplates: { unlisted: unlisted.shows },
  siteDifference: { unlisted: unlisted.shows },
  siteRules: { unlisted: unlisted.shows },
  trySiteRule: { unlisted: unlisted.looksOnly },
  createSiteRule: {
    action: "job-changed",
    about: async (deps, call) => `${await job(deps, call)}: rule for ${String(call.body.value)}`,
  },
  updateSiteRule: {
    action: "job-changed",
    about: async (deps, call) => `${await job(deps, call)}: rule for ${String(call.body.value)}`,
  },
  deleteSiteRule: {
    action: "job-changed",
    about: async (deps, call) => `${await job(deps, call)}: rule removed`,
  },
  exportSite: { action: "history-exported", about: async (deps, call) => `${await job(deps, call)}: site` },
  controlSite: {
    action: "job-changed",
    about: async (deps, call) => `${await job(deps, call)}: crawl ${call.params.action}d`,
  },
  setJobStatus: {
    action: "job-changed",
    about: async (deps, call) => `${await job(deps, call)}: ${call.params.status?.toLowerCase()}`,
  },
  deleteJob: { action: "job-deleted", about: job },
  applyBulkAction: ({ body }) => {
    // The checks are listed with their jobs.
    if (body.action === "run") return null;
    const about = async ({ db }: Deps, { accountId }: Call) => {
      const ids = new Set(body.jobIds as string[]);
      const names = (await listJobsWithGroups(db, accountId)).filter(({ id }) => ids.has(id));
      return body.action === "delete" ? nameSome(names) : `${nameSome(names)}: ${String(body.action)}`;
    };
    return { action: body.action === "delete" ? "job-deleted" : "job-changed", about };
  },
  listBulkActions: { unlisted: unlisted.shows },
  undoBulkAction: {
    action: "job-changed",
    about: async ({ db }, { accountId, params }) => {
      const found = (await listBulkActions(db, accountId)).find(({ id }) => id === params.actionId);
      return found && `${nameSome(found.changes)}: ${found.action} undone`;
    },
  },
  cloneJob: { action: "job-created", about: job },
  runJob: { unlisted: unlisted.recordsItself },
  jobLogs: { unlisted: unlisted.shows },
  executions: { unlisted: unlisted.shows },
  values: { unlisted: unlisted.shows },
  execution: { unlisted: unlisted.shows },
  executionImage: { unlisted: unlisted.shows },
  executionStepImage: { unlisted: unlisted.shows },
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
    about: async (deps, call) => `${await job(deps, call)}: ${String(call.query.format)}`,
  },
  exportAccount: { action: "archive-downloaded" },
  // Only here: elsewhere `dryRun` means nothing and must hide nothing.
  importJobs: ({ query }) => (query.dryRun === "true" ? null : { action: "jobs-imported" }),
  importWithProgress: { unlisted: "It writes the entry of importJobs itself, when the import is done." },

  createReport: { action: "report-made", about: title },
  listReports: { unlisted: unlisted.shows },
  deleteReport: { action: "report-deleted", about: report },
  reportPdf: { action: "report-downloaded", about: async (deps, call) => `${await report(deps, call)}: PDF` },
  reportHtml: {
    action: "report-downloaded",
    about: async (deps, call) => `${await report(deps, call)}: HTML`,
  },
  shareReport: {
    action: "report-shared",
    about: async (deps, call) => `${await report(deps, call)}: ${String(call.body.days)} days`,
  },
  unshareReport: { action: "report-unshared", about: report },
  sharedReport: { unlisted: unlisted.byPublicLink },
  createSchedule: { action: "schedule-made", about: title },
  listSchedules: { unlisted: unlisted.shows },
  deleteSchedule: { action: "schedule-deleted" },
  evidence: { unlisted: unlisted.shows },
  setEvidence: { action: "evidence-changed", about: (_, { body }) => describeEvidence(body) },

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
  savedViews: { unlisted: unlisted.shows },
  putSavedView: { unlisted: unlisted.tidies },
  deleteSavedView: { unlisted: unlisted.tidies },
  templates: { unlisted: unlisted.shows },
  putTemplate: { action: "notifications-changed", about: channel },
  previewTemplate: { unlisted: unlisted.looksOnly },

  tryRules: { unlisted: unlisted.looksOnly },
  compareByRules: { unlisted: unlisted.looksOnly },
  coverRules: { unlisted: unlisted.looksOnly },
  elements: { unlisted: unlisted.shows },
  pickElement: { unlisted: unlisted.shows },
  askPreview: { unlisted: unlisted.looksOnly },
  search: { unlisted: unlisted.shows },
  searchContext: { unlisted: unlisted.shows },
  searchAlerts: { unlisted: unlisted.shows },
  incidents: { unlisted: unlisted.shows },
  splitIncident: { action: "incident-split", about: incident },
  mergeIncidents: { action: "incidents-merged", about: incident },
  markIncidentAsNoise: { action: "incident-noise-marked", about: incident },
  undoIncidentNoise: { action: "incident-noise-undone", about: incident },
  trySearchAlert: { unlisted: unlisted.looksOnly },
  createSearchAlert: { action: "search-alert-made", about: (_, { body }) => String(body.name) },
  updateSearchAlert: { action: "search-alert-changed", about: (_, { body }) => String(body.name) },
  deleteSearchAlert: { action: "search-alert-deleted", about: searchAlert },
  preview: { unlisted: unlisted.shows },
  previewImage: { unlisted: unlisted.shows },
  previewStepImage: { unlisted: unlisted.shows },
  readRecording: { unlisted: unlisted.looksOnly },
  previewElements: { unlisted: unlisted.shows },
  pickPreviewElement: { unlisted: unlisted.shows },
  previewRuns: { unlisted: unlisted.looksOnly },
  coverPreview: { unlisted: unlisted.looksOnly },

  listProxies: { unlisted: unlisted.shows },
  createProxy: { action: "proxy-made", about: (_, { body }) => String(body.name) },
  updateProxy: { action: "proxy-changed", about: proxy },
  deleteProxy: { action: "proxy-deleted", about: proxy },
  testProxy: { unlisted: unlisted.looksOnly },

  listIdentities: { unlisted: unlisted.shows },
  createIdentity: { action: "identity-made", about: (_, { body }) => String(body.name) },
  updateIdentity: { action: "identity-changed", about: identity },
  deleteIdentity: { action: "identity-deleted", about: identity },
  signInIdentity: { action: "identity-signed-in", about: identity },
  tryIdentity: { unlisted: unlisted.looksOnly },

  createLiveView: {
    action: "live-view-asked",
    about: (_, { body }) => URL.parse(String(body.url))?.host ?? "",
  },
  openLiveView: { unlisted: unlisted.looksOnly },

  secondOpinion: { unlisted: unlisted.shows },
  putSecondOpinion: { action: "second-opinion-changed", about: (_, { body }) => String(body.model) },
  deleteSecondOpinion: { action: "second-opinion-deleted" },
  testSecondOpinion: { unlisted: unlisted.looksOnly },
  trySecondOpinion: { unlisted: unlisted.looksOnly },

  listApiKeys: { unlisted: unlisted.shows },
  createApiKey: {
    action: "key-made",
    about: (_, { body }) => `${String(body.name)} (${String(body.scope)})`,
  },
  revokeApiKey: {
    action: "key-revoked",
    about: async (deps, { accountId, params }) =>
      (await listApiKeys(deps.db, accountId)).find(({ id }) => id === params.keyId)?.name,
  },
  mcp: { unlisted: "Each tool of an agent is a call of its own, and listed as that." },
  listFeeds: { unlisted: unlisted.shows },
  createFeed: { action: "feed-made" },
  renewFeed: { action: "secret-renewed", about: () => "Feed" },
  deleteFeed: { action: "feed-ended" },
  feed: { unlisted: unlisted.byPublicLink },
};

/** Where a call came from, for its audit entry. */
export function originOf({ ip, headers, actor }: FastifyRequest): Origin {
  const device = actor && "keyId" in actor ? `API key ${actor.name}` : describeDevice(headers["user-agent"]);
  return { address: ip, device };
}

/** Returns the function that writes the audit entry once the call has succeeded; undefined for unlisted calls. */
export async function prepareAudit(
  deps: Deps,
  name: string,
  request: FastifyRequest,
): Promise<(() => Promise<void>) | undefined> {
  const found = trail[name as RouteName];
  const accountId = request.actor?.accountId;
  if (!accountId || "unlisted" in found) return undefined;
  // Visitors share the demo account: none of them may see where the others came from.
  if (accountId === deps.demoAccountId) return undefined;
  const call = {
    accountId,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    body: (request.body ?? {}) as Record<string, unknown>,
  };
  const rule = typeof found === "function" ? found(call) : found;
  if (!rule) return undefined;
  const { action, about } = rule;
  const entry = { action, about: await about?.(deps, call), ...originOf(request) };
  return () => addAuditEntry(deps.db, accountId, entry);
}

/** Which copies of the daily fingerprint were switched; the webhook's address may contain a secret. */
const describeEvidence = ({
  mail,
  webhook,
}: {
  mail?: boolean | undefined;
  webhook?: string | null | undefined;
}) =>
  [
    ...(mail === undefined ? [] : [mail ? "Mail on" : "Mail off"]),
    ...(webhook === undefined ? [] : [webhook ? `Webhook at ${new URL(webhook).host}` : "Webhook off"]),
  ].join(", ");
