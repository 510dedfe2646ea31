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
import type { App } from "./app.ts";

type Asked = {
  accountId: string;
  params: Record<string, string>;
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

/** Which calls are written down, and what they are about; it is asked before the call, since some delete it. */
const audited: Partial<Record<RouteName, Audited | ((asked: Asked) => Audited)>> = {
  logout: { action: "signed-out" },
  updateMe: { action: "profile-changed" },
  updateNotificationSettings: {
    action: "notifications-changed",
    about: (_, { body }) =>
      Object.entries(body)
        .map(
          ([name, isOn]) => `${name === "emailNotifications" ? "Mail" : "Telegram"} ${isOn ? "on" : "off"}`,
        )
        .join(", "),
  },
  cancelSubscription: { action: "plan-cancelled" },
  resumeSubscription: { action: "plan-resumed" },
  putChannelAddress: { action: "channel-linked", about: channel },
  removeChannel: { action: "channel-removed", about: channel },
  renewBotToken: { action: "secret-renewed", about: () => "Telegram" },
  renewSigningSecret: { action: "secret-renewed", about: () => "HTTP triggers" },
  addBrowser: { action: "channel-linked", about: () => channels.push.name },
  removeBrowser: { action: "channel-removed", about: () => channels.push.name },
  createApiKey: {
    action: "key-made",
    about: (_, { body }) => `${String(body.name)} (${String(body.scope)})`,
  },
  revokeApiKey: {
    action: "key-revoked",
    about: async (app, { accountId, params }) =>
      (await listApiKeys(app.db, accountId)).find(({ id }) => id === params.keyId)?.name,
  },
  createFeed: { action: "feed-made" },
  renewFeed: { action: "secret-renewed", about: () => "Feed" },
  deleteFeed: { action: "feed-ended" },
  importJobs: { action: "jobs-imported" },
  createShare: { action: "share-made", about: job },
  deleteShare: { action: "share-revoked" },
  createJob: { action: "job-created", about: (_, { body }) => String(body.name) },
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
  unlearnNoise: { action: "rules-changed", about: job },
  markNoise: { action: "rules-changed", about: job },
  takeBack: { action: "rules-changed", about: job },
  deleteJob: { action: "job-deleted", about: job },
  cloneJob: { action: "job-created", about: job },
  putGroupSettings: { action: "rules-changed", about: group },
  putTemplate: { action: "notifications-changed", about: channel },
  putPace: { action: "notifications-changed", about: channel },
  deleteGroup: { action: "group-deleted", about: group },
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
  const found = audited[name as RouteName];
  const accountId = request.actor?.accountId;
  if (!found || !accountId) return undefined;
  // A trial changes nothing.
  if ((request.query as { dryRun?: string }).dryRun === "true") return undefined;
  const asked = {
    accountId,
    params: request.params as Record<string, string>,
    body: (request.body ?? {}) as Record<string, unknown>,
  };
  const { action, about } = typeof found === "function" ? found(asked) : found;
  const entry = { action, about: await about?.(app, asked), ...originOf(request) };
  return () => addAuditEntry(app.db, accountId, entry);
}
