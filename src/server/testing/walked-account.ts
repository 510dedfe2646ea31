type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

/** What an account has, one of each kind: calls are walked with these ids. */
export type WalkedAccount = {
  /** A page that may be requested: every URL in a body is this one. */
  url: string;
  groupId: string;
  jobId: string;
  executionId: string;
  /** The execution before `executionId`. */
  fromId: string;
  /** A job that watches a site, with an execution of it. */
  siteId: string;
  crawlId: string;
  secondGroupId: string;
  proxyId: string;
  identityId: string;
  alertId: string;
  ruleId: string;
  reportId: string;
  scheduleId: string;
  viewId: string;
  keyId: string;
  feedId: string;
  shareId: string;
  previewId: string;
  liveViewId: string;
  actionId: string;
  incidentId: string;
  lineId: string;
};

export type WalkedJobs = Pick<
  WalkedAccount,
  "url" | "groupId" | "jobId" | "executionId" | "fromId" | "siteId" | "crawlId"
>;

/** Makes one of each kind of object that an account can have besides its jobs, by calls. */
export async function fillAccount(call: Call, jobs: WalkedJobs): Promise<WalkedAccount> {
  const { url, groupId, jobId, executionId, fromId, siteId } = jobs;
  async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>;
  }
  const idIn = (object: unknown) => String((object as { id?: unknown } | undefined)?.id);
  const newestOf = async (path: string, list: string) =>
    idIn(((await ask("GET", path))[list] as unknown[])[0]);

  const rule = { by: "pattern", value: "/", groupId, maxJobs: 1, frequency: 60 };
  const proxy = await ask("POST", "/api/proxies", walkedProxy);
  const identity = await ask("POST", "/api/identities", walkedIdentity(url));
  await ask("POST", "/api/search-alerts", { name: "Walked", q: "lamp" });
  await ask("PUT", "/api/me/views", { name: "Walked", query: "q=a" });
  await ask("POST", "/api/keys", { name: "Walked", scope: "read", days: 30 });
  await ask("POST", "/api/feeds", { jobId });
  const moved = await ask("POST", "/api/bulk-actions", {
    jobIds: [jobId],
    action: "frequency",
    minutes: 120,
  });
  const { incidents } = (await ask("GET", "/api/incidents")) as { incidents: unknown[] };
  const { lines } = (await ask("GET", `/api/search?kind=title&jobId=${jobId}`)) as { lines: unknown[] };
  return {
    ...jobs,
    secondGroupId: idIn(await ask("POST", "/api/jobs/groups", { name: "Second" })),
    proxyId: idIn(proxy.proxy),
    identityId: idIn(identity.identity),
    alertId: await newestOf("/api/search-alerts", "alerts"),
    ruleId: idIn(await ask("POST", `/api/jobs/${siteId}/site/rules`, rule)),
    reportId: idIn(await ask("POST", "/api/reports", { jobId })),
    scheduleId: idIn(await ask("POST", "/api/report-schedules", { jobId, every: "week" })),
    viewId: await newestOf("/api/me/views", "views"),
    keyId: await newestOf("/api/keys", "keys"),
    feedId: await newestOf("/api/feeds", "feeds"),
    shareId: idIn(await ask("POST", `/api/jobs/${jobId}/share`, { executionId, fromId })),
    previewId: idIn(await ask("POST", "/api/previews", { url })),
    liveViewId: String((await ask("POST", "/api/live-views", { url })).liveViewId),
    actionId: idIn(moved.undo),
    incidentId: incidents.length > 0 ? idIn(incidents[0]) : executionId,
    lineId: lines.length > 0 ? idIn(lines[0]) : "1",
  };
}

export const walkedIdentity = (url: string) => ({
  name: "Walked",
  proof: { text: "Sign out" },
  url,
  cookies: "a=1",
});
export const walkedProxy = { name: "Walked", protocol: "http", host: "127.0.0.1", port: 3128 };
