import type { z } from "zod";
import { type RouteName, routes } from "#contract/routes.ts";
import { type WalkedAccount, walkedIdentity, walkedProxy } from "./walked-account.ts";

export type Body = Record<string, unknown>;
type Routes = typeof routes;
type NamesWith<Part> = { [Name in RouteName]: Routes[Name] extends Part ? Name : never }[RouteName];
export type BodyRoute = NamesWith<{ body: z.ZodType }>;
export type UploadRoute = NamesWith<{ bodyType: string }>;

export const namesOfRoutesWith = <Name extends RouteName>(part: "body" | "bodyType" | "query") =>
  (Object.keys(routes) as RouteName[]).filter((name) => part in routes[name]) as Name[];

/** For each route that takes a body, one that is accepted: the types demand an entry for a new route. */
export function validBodies(walked: WalkedAccount): Record<BodyRoute, Body> {
  const { url, groupId, jobId, executionId, fromId, crawlId } = walked;
  const siteRule = { by: "pattern", value: "/", groupId, maxJobs: 1, frequency: 60 };
  const identity = walkedIdentity(url);
  const searchAlert = { name: "Walked", q: "lamp" };
  const trigger = { url, method: "POST" };
  return {
    register: { firstname: "A", surname: "B", email: "walk@example.com", password: "correct1!" },
    login: { email: "walk@example.com", password: "wrong1!" },
    recover: { email: "walk@example.com" },
    resetPassword: { newPassword: "correct1!" },
    updateMe: {},
    deleteMe: { password: "wrong1!" },
    updateNotificationSettings: {},
    changePlan: { token: "x" },
    completeSandboxPayment: { token: "x" },
    advanceSandboxClock: { days: 1 },
    createGroup: { name: "Another" },
    renameGroup: { name: "Group" },
    putGroupSettings: {},
    createJob: { url, frequency: 60, groupId },
    addToGroup: { jobId, groupId },
    updateJob: {},
    markRead: {},
    applyBulkAction: { jobIds: [jobId], action: "run" },
    createReport: { jobId },
    shareReport: {},
    createSchedule: { jobId, every: "week" },
    setEvidence: { mail: false },
    createShare: { executionId, fromId },
    answerOften: { answer: "daily" },
    unlearnNoise: { place: "main > p" },
    takeBack: { place: "main > p" },
    markNoise: { from: fromId },
    putChannelAddress: { url },
    putPace: { important: "hourly", notice: "daily", quiet: null, zone: "Europe/Berlin" },
    testTrigger: { trigger, jobId },
    telegramWebhook: { update_id: 1 },
    tryRules: {},
    compareByRules: { from: fromId, to: executionId },
    coverRules: {},
    askPreview: { url },
    readRecording: { recording: "{}" },
    previewRuns: { groupId },
    coverPreview: {},
    createApiKey: { name: "Walked", scope: "read", days: 1 },
    mcp: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search", arguments: { q: "lamp" } },
    },
    createFeed: { jobId },
    addBrowser: {
      endpoint: url,
      keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) },
    },
    removeBrowser: { endpoint: url },
    putTemplate: {},
    previewTemplate: { jobId },
    createLiveView: { url },
    createProxy: walkedProxy,
    updateProxy: walkedProxy,
    createIdentity: identity,
    updateIdentity: identity,
    tryIdentity: identity,
    putSavedView: { name: "Walked", query: "q=a" },
    putSecondOpinion: { url, model: "model" },
    trySecondOpinion: { count: 1 },
    trySiteRule: siteRule,
    createSiteRule: siteRule,
    updateSiteRule: siteRule,
    createSearchAlert: searchAlert,
    trySearchAlert: { q: "lamp" },
    updateSearchAlert: searchAlert,
    splitIncident: { executionIds: [executionId] },
    mergeIncidents: { incidentIds: [crawlId] },
  };
}

/** For routes whose query has fields that must be there, or that find more with one. */
export const validQueries = ({
  fromId,
  executionId,
  crawlId,
  jobId,
}: WalkedAccount): Partial<Record<RouteName, Body>> => ({
  compare: { from: fromId, to: executionId },
  leftOut: { from: fromId, to: executionId },
  siteDifference: { from: crawlId, to: crawlId },
  exportSite: { format: "csv" },
  search: { q: "lamp" },
  searchContext: { jobId },
});

const condition = {
  match: "all",
  conditions: [
    { what: "text", is: "added", text: "lamp" },
    { what: "matches", is: "above", text: "/lamp/", amount: 1 },
  ],
};
const header = { name: "X-Walked", value: "a" };

/** Values of fields that consist of parts, by which the walk reaches those parts. */
export const sampleFields = ({ url, jobId, proxyId, groupId }: WalkedAccount): Body => ({
  alertIf: condition,
  values: [{ name: "walked", by: "pattern", rule: "/(lamp)/" }],
  steps: [{ do: "replace", text: "lamp", to: "light" }],
  ignore: ["Advert"],
  notInherited: { ignore: ["Advert"] },
  lookup: { strings: ["lamp"], when: "appears" },
  trigger: { url, method: "POST", body: "{{summary}}", strings: ["lamp"], headers: [header] },
  headers: [header],
  request: { method: "POST", body: "a=1" },
  pageSteps: [
    { type: "click", selectors: [["a"]] },
    { type: "change", selectors: [["input"]], value: "{{secret.walked}}" },
    { type: "navigate", url },
    { type: "customStep", name: "waitForUrl", parameters: { url: "*" } },
  ],
  stepSecrets: [{ name: "walked", value: "a" }],
  secrets: [{ name: "walked", value: "a" }],
  origins: [new URL(url).origin],
  cookies: "a=1",
  browser: { language: "de", timeZone: "Europe/Berlin", block: ["ads"] },
  schedule: { zone: "Europe/Berlin", cron: "0 9 * * 1" },
  message: { title: "{{title}}", text: "{{summary}}" },
  secondOpinion: { use: "summary", matters: "lamps" },
  site: { paths: ["/a"], exclude: ["/b"] },
  waitFor: { selector: "a", text: "lamp" },
  tags: ["walked"],
  channels: ["email"],
  proxies: [proxyId],
  jobIds: [jobId],
  groupIds: [groupId],
});

/** Routes of a site are called with the job that watches one. */
export function fillPath(path: string, walked: WalkedAccount, replaced: Body = {}): string {
  const values: Body = {
    ...walked,
    jobId: path.includes("/site") ? walked.siteId : walked.jobId,
    token: path.includes("/share/") ? walked.shareId : "x",
    side: "after",
    planId: "ultimate",
    status: "active",
    channel: "webhook",
    action: "pause",
    format: "json",
    step: "1",
    at: "0",
    id: "x",
    ...replaced,
  };
  return path.replace(/:(\w+)/g, (_, key: string) => {
    if (!(key in values)) throw new Error(`The walk has no value for :${key} in ${path}.`);
    return encodeURIComponent(String(values[key]).toWellFormed());
  });
}
