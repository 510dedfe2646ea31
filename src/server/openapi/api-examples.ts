import type { RouteName } from "#contract/routes.ts";

const id = "0198c0de-0000-7000-8000-000000000001";
const password = "correct1!";

const rules = { selector: "main", ignore: [".advert"] };
const fallingPrice = {
  match: "all",
  conditions: [{ what: "number", name: "price", is: "down", amount: 5, percent: true }],
};

const siteRule = { by: "pattern", value: "/docs/", groupId: id, maxJobs: 10, frequency: 1440 };

/** An example body for each call that takes one, shown in the documentation. */
export const apiExamples: Partial<Record<RouteName, object>> = {
  register: { firstname: "Ana", surname: "Ćosić", email: "ana@example.com", password },
  login: { email: "ana@example.com", password },
  recover: { email: "ana@example.com" },
  resetPassword: { newPassword: password },
  updateMe: { firstname: "Ana" },
  deleteMe: { password },
  updateNotificationSettings: {
    telegramNotifications: true,
    emailNotifications: false,
    combineAlerts: true,
  },
  createApiKey: { name: "Nightly cron", scope: "check", days: 90 },
  createProxy: {
    name: "Berlin",
    protocol: "socks5",
    host: "proxy.example.com",
    port: 1080,
    username: "ana",
    password: "s3cret",
    echoUrl: "https://address.example.com/",
  },
  updateProxy: { name: "Berlin", protocol: "https", host: "proxy.example.com", port: 443, username: "ana" },
  createIdentity: {
    name: "Shop, as a customer",
    url: "https://shop.example.com/sign-in",
    steps: [
      { type: "change", selectors: [["#email"]], value: "ana@example.com" },
      { type: "change", selectors: [["#password"]], value: "{{secret.password}}" },
      { type: "click", selectors: [["aria/Sign in"]] },
    ],
    secrets: [{ name: "password", value: "s3cret" }],
    proof: { text: "Sign out" },
  },
  createLiveView: { url: "https://shop.example.com/sign-in", signsIn: true },
  updateIdentity: {
    name: "Shop, as a customer",
    url: "https://shop.example.com/orders",
    cookies: "session=8f14e45fceea; theme=dark",
    proof: { text: "Sign out" },
  },
  tryIdentity: {
    url: "https://shop.example.com/orders",
    cookies: "session=8f14e45fceea; theme=dark",
  },
  createGroup: { name: "Scopes" },
  renameGroup: { name: "Bug bounty scopes" },
  createJob: {
    name: "security.txt",
    url: "https://example.com/.well-known/security.txt",
    frequency: 60,
    groupId: id,
    selector: "main",
    ignore: [".advert", "/Updated \\d+ minutes ago/"],
  },
  putGroupSettings: {
    headers: [{ name: "Accept-Encoding", value: "gzip" }],
    ignore: [".cookie-banner"],
    schedule: { zone: "Europe/Berlin", cron: "0 6 * * 1-5" },
    tellFailures: { down: 3, gone: 1 },
    channels: ["email", "slack"],
  },
  addToGroup: { jobId: id, groupId: id },
  updateJob: {
    frequency: 30,
    lookup: { strings: ["In stock"], when: "appears" },
    values: [{ name: "price", by: "price", rule: "" }],
    alertIf: fallingPrice,
    request: { method: "POST", as: "json", body: '{"day":"{{date:yyyy-MM-dd}}"}', language: "de-DE" },
  },
  applyBulkAction: { jobIds: [id], action: "frequency", minutes: 30 },
  tryRules: { ...rules, from: "2026-01-01T00:00:00Z" },
  compareByRules: { ...rules, from: id, to: id },
  coverRules: rules,
  readRecording: {
    recording: '{"title":"Prices","steps":[{"type":"click","selectors":[["aria/Prices"],["#prices"]]}]}',
  },
  askPreview: { url: "https://example.com/", waitFor: { selector: "#prices" } },
  coverPreview: rules,
  previewRuns: { frequency: 1440, schedule: { zone: "Europe/Berlin", cron: "0 3 * * *" }, count: 3 },
  markRead: { ids: [id] },
  setEvidence: { mail: true },
  createShare: { executionId: id, days: 7 },
  answerOften: { answer: "daily" },
  markNoise: { ids: ["1k2j3h"] },
  takeBack: { id: "1k2j3h" },
  unlearnNoise: { place: "footer > p" },
  createReport: { jobId: id, from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" },
  shareReport: { days: 7 },
  createSchedule: { groupId: id, every: "week" },
  putPace: {
    important: "at-once",
    notice: "daily",
    dailyAt: 8,
    quiet: { from: 22, to: 7 },
    zone: "Europe/Berlin",
  },
  putChannelAddress: { url: "https://discord.com/api/webhooks/123456/abcdef" },
  putTemplate: { title: "{{title}} changed", text: "**{{message}}**\n{{words}}\n{{link}}" },
  putSecondOpinion: { url: "http://localhost:11434/v1", model: "llama3.1", key: "", isOn: true },
  trySecondOpinion: { count: 5, matters: "Tell me if prices or refund terms change." },
  putSavedView: { name: "Failing shops", query: "failing=1&tag=shop" },
  createSearchAlert: { name: "AWS keys", q: "\\bAKIA[0-9A-Z]{16}\\b", mode: "regex", severity: "critical" },
  updateSearchAlert: { name: "Competitor", q: "Acme Corp", groupIds: [id] },
  splitIncident: { executionIds: [id] },
  mergeIncidents: { incidentIds: [id] },
  trySearchAlert: { q: "CVE-2026-", kind: "text" },
  trySiteRule: { ...siteRule, sample: "spread" },
  createSiteRule: siteRule,
  updateSiteRule: siteRule,
  previewTemplate: { title: "", text: "{{words}}" },
  testTrigger: {
    trigger: { url: "https://example.com/hook", method: "POST", body: '{"summary":"{{summary}}"}' },
  },
  telegramWebhook: { update_id: 1, message: { chat: { id: 4711 }, text: "/status" } },
  mcp: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  addBrowser: {
    endpoint: "https://updates.push.services.mozilla.com/wpush/v2/abc",
    keys: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    label: "Firefox on Linux",
  },
  removeBrowser: { endpoint: "https://updates.push.services.mozilla.com/wpush/v2/abc" },
  createFeed: { groupId: id },
  changePlan: { token: "a-token-of-prepare" },
  completeSandboxPayment: { token: "a-token-of-prepare" },
  advanceSandboxClock: { days: 30 },
};
