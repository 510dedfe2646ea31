import { sql } from "kysely";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { trail } from "#audit/audit-calls.ts";
import { grantPlan } from "#billing/grant-plan.ts";
import { startDiscordServer } from "#channels/testing/discord-server.ts";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { auditActions } from "#contract/audit.ts";
import type { Route } from "#contract/route.ts";
import { type RouteName, routes } from "#contract/routes.ts";
import { deleteExpired } from "#retention/delete-expired.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Entry = {
  id: string;
  at: string;
  text: string;
  about: string | null;
  actor: string;
  address: string | null;
  device: string | null;
};
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function trailOf(call: (method: string, url: string) => Promise<{ body: Record<string, never> }>) {
  const { body } = await call("GET", "/api/me/audit?limit=100");
  return body.entries as unknown as Entry[];
}

test("the audit trail shows who did what, when and from where", async () => {
  const discord = await startDiscordServer();
  const { call, createJob, execution, email, token } = await engine.person();
  const jobId = await createJob({ name: "Prices" });
  await call("PATCH", `/api/jobs/${jobId}`, { selector: "main", ignore: [".ad"] });
  await call("PATCH", `/api/jobs/${jobId}`, { frequency: 120 });
  const { id: executionId } = await execution(jobId, 1);
  const shared = await call("POST", `/api/jobs/${jobId}/share`, { executionId });
  await call("DELETE", `/api/share/${String(shared.body.id)}`);
  await call("PUT", "/api/me/channels/discord", { url: discord.webhook });
  await call("PATCH", "/api/settings/notifications", { telegramNotifications: false });
  await grantPlan(engine.app.billing, email, "professional");
  await call("DELETE", `/api/jobs/${jobId}`);
  await engine.call(
    "POST",
    "/api/auth/login",
    { email, password: "wrong-1!" },
    { ip: "198.51.100.9", headers: { "user-agent": "curl/8.5" } },
  );
  await engine.call(
    "POST",
    "/api/auth/login",
    { email, password: "correct1!" },
    { ip: "2001:db8::1", headers: { "user-agent": firefox } },
  );
  await engine.call("POST", "/api/auth/logout", undefined, { token });
  const newLogin = await engine.call("POST", "/api/auth/login", { email, password: "correct1!" });
  const entries = await trailOf((method, url) =>
    engine.call(method, url, undefined, { token: String(newLogin.body.token) }),
  );
  const lines = entries.map(({ text, about, actor }) => [text, about, actor].filter(Boolean).join(" | "));
  expect(lines.reverse()).toEqual([
    "Signed in | you",
    "Job created | Prices | you",
    "Rules changed | Prices: compared part, ignore rules | you",
    "Job changed | Prices: frequency | you",
    "Link shared | Prices | you",
    "Shared link revoked | you",
    "Channel linked | Discord | you",
    "Notifications turned on or off | Telegram off | you",
    "Plan changed | Ultimate to Professional | operator",
    "Job deleted | Prices | you",
    "Sign-in with a wrong password | you",
    "Signed in | you",
    "Signed out | you",
    "Signed in | you",
  ]);
  await discord.close();
  const entryFrom = (text: string, address: string) =>
    entries.find((entry) => entry.text === text && entry.address === address);
  expect(entryFrom("Sign-in with a wrong password", "198.51.100.9")).toMatchObject({ device: "curl" });
  expect(entryFrom("Signed in", "2001:db8::1")).toMatchObject({ device: "Firefox on Linux" });
});

test("a change of a job lists the settings that differ, not all that its form sends", async () => {
  const { call, createJob, token } = await engine.person();
  const headers = [{ name: "Authorization", value: "Bearer secret" }];
  const jobId = await createJob({ name: "Prices", ignore: [".ad"], headers, tags: ["shop"] });
  const { body } = await call("GET", `/api/jobs/${jobId}`);
  const { note, tags, selector, ignore, headers: masked, request, trigger, lookup, values } = body;
  const sent = { note, tags, selector, ignore, headers: masked, request, trigger, lookup, values };
  const unchanged = { ...sent, name: "", url: body.url, frequency: body.frequencyMinutes };
  expect((await call("PATCH", `/api/jobs/${jobId}`, { ...unchanged, tags: ["shop", "sale"] })).status).toBe(
    200,
  );
  expect((await call("PATCH", `/api/jobs/${jobId}`, { ...unchanged, tags: ["shop", "sale"] })).status).toBe(
    200,
  );
  const entries = await trailOf((method, url) => engine.call(method, url, undefined, { token }));
  expect(entries.map(({ about }) => about).slice(0, 2)).toEqual(["Prices: nothing changed", "Prices: tags"]);
});

test("every endpoint is in the audit trail or has a written reason why not", () => {
  expect(Object.keys(trail).sort()).toEqual(Object.keys(routes).sort());
  const descriptions = Object.values(trail).map((rule) => {
    if (typeof rule === "function") return "Listed, in words that depend on the call.";
    return "unlisted" in rule ? rule.unlisted : `Listed: ${auditActions[rule.action]}.`;
  });
  for (const description of descriptions) expect(description).toMatch(/^[A-Z].{15,}\.$/);
  expect(descriptions.join()).not.toContain("undefined");
  // File downloads, and what others can open without an account, must be listed whatever the table says.
  const isListed = (name: string) => !("unlisted" in trail[name as RouteName]);
  const downloads = Object.entries<Route>(routes).filter(
    ([name, { access, method, reply }]) =>
      access === "account" &&
      method === "GET" &&
      typeof reply === "string" &&
      !/^image\/|event-stream/.test(reply) &&
      !["executionHtml", "executionText", "openLiveView"].includes(name),
  );
  expect(downloads.map(([name]) => name).sort()).toEqual([
    "exportAccount",
    "exportAudit",
    "exportJob",
    "exportSite",
    "reportHtml",
    "reportPdf",
  ]);
  const grants = Object.keys(routes).filter((name) =>
    /^(create|renew)(Share|Feed|ApiKey)|^shareReport|^addBrowser/.test(name),
  );
  for (const name of [...downloads.map(([name]) => name), ...grants])
    expect([name, isListed(name)]).toEqual([name, true]);
});

test("the audit trail lists exports, downloads and everything that opens access to others", async () => {
  const { call, createJob, execution } = await engine.person();
  const jobId = await createJob({ name: "Prices" });
  await execution(jobId, 1);
  const report = await call("POST", "/api/reports", { jobId, title: "March" });
  const reportPath = `/api/reports/${String(report.body.id)}`;
  await engine.waitFor("the report", async () => (await call("GET", `${reportPath}/pdf`)).status === 200);
  await call("GET", `${reportPath}/html`);
  await call("POST", `${reportPath}/share`, { days: 7 });
  await call("DELETE", `${reportPath}/share`);
  await call("GET", `/api/jobs/${jobId}/export?format=csv`);
  await call("GET", "/api/export");
  await call("GET", "/api/me/audit/export");
  await call("DELETE", reportPath);
  const key = await call("POST", "/api/keys", { name: "Nightly", scope: "everything" });
  const byKey = await engine.call("GET", "/api/export", undefined, { token: String(key.body.key) });
  expect([byKey.status, byKey.body]).toEqual([200, {}]);
  const entries = (await trailOf(call)).reverse();
  const lines = entries.map(({ text, about }) => [text, about].filter(Boolean).join(" | "));
  expect(lines).toEqual([
    "Signed in",
    "Job created | Prices",
    "Report created | March",
    "Report downloaded | March: PDF",
    "Report downloaded | March: HTML",
    "Report shared by a public link | March: 7 days",
    "Public link to a report revoked | March",
    "History exported | Prices: csv",
    "Account archive downloaded",
    "Activity exported",
    "Report deleted | March",
    "API key created | Nightly (everything)",
    "Account archive downloaded",
  ]);
  expect(entries.at(-1)?.device).toBe("API key Nightly");
});

test("a refused call is not in the audit trail, and nobody sees another account's entries", async () => {
  const stranger = await engine.person();
  const owner = await engine.person();
  const jobId = await owner.createJob({ name: "Theirs" });
  expect((await stranger.call("DELETE", `/api/jobs/${jobId}`)).status).toBe(404);
  const texts = (await trailOf(stranger.call)).map(({ text }) => text);
  expect(texts).toEqual(["Signed in"]);
});

test("a call can't keep itself out of the audit trail by claiming to be a dry run", async () => {
  const { call, createJob } = await engine.person();
  const jobId = await createJob({ name: "Prices" });
  // Unknown to these calls, and ignored by them.
  expect((await call("PATCH", `/api/jobs/${jobId}?dryRun=true`, { frequency: 120 })).status).toBe(200);
  expect((await call("GET", "/api/export?dryRun=true")).status).toBe(200);
  expect((await call("DELETE", `/api/jobs/${jobId}?dryRun=true`)).status).toBe(200);
  const texts = (await trailOf(call)).map(({ text }) => text).reverse();
  expect(texts).toEqual([
    "Signed in",
    "Job created",
    "Job changed",
    "Account archive downloaded",
    "Job deleted",
  ]);
});

test("demo visitors leave no entries in the audit trail, so none sees where another came from", async () => {
  const visitor = await engine.person();
  const { body } = await visitor.call("GET", "/api/me");
  const exportAndListTexts = async () => {
    expect((await visitor.call("GET", "/api/export")).status).toBe(200);
    return (await trailOf(visitor.call)).map(({ text }) => text);
  };
  expect(await exportAndListTexts()).toEqual(["Account archive downloaded", "Signed in"]);
  engine.app.demoAccountId = String(body.id);
  onTestFinished(() => {
    delete engine.app.demoAccountId;
  });
  expect(await exportAndListTexts()).toEqual(["Account archive downloaded", "Signed in"]);
});

test("the audit trail is paged, and its CSV export neutralizes formulas", async () => {
  const { call, createJob } = await engine.person();
  await createJob({ name: "=1+1" });
  await createJob({ name: "Plain" });
  const first = await call("GET", "/api/me/audit?limit=2");
  const second = await call("GET", `/api/me/audit?limit=2&cursor=${String(first.body.nextCursor)}`);
  expect([
    (first.body.entries as unknown as Entry[]).length,
    (second.body.entries as unknown as Entry[]).length,
  ]).toEqual([2, 1]);
  expect(second.body.nextCursor).toBeNull();
  const { raw, headers } = await call("GET", "/api/me/audit/export");
  expect(headers["content-disposition"]).toContain("watchglass-activity.csv");
  const lines = raw.toString().trim().split("\r\n");
  expect(lines[0]).toBe("at,text,about,actor,address,device");
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain(`"'=1+1"`);
  expect((await call("GET", "/api/me/audit?cursor=nonsense")).status).toBe(400);
});

test("audit entries are stored for a year and deleted with their account", async () => {
  const { call, accountId } = await engine.person();
  const { db } = engine.app;
  await sql`update audit_entries set created_at = now() - interval '364 days' where account_id = ${accountId}`.execute(
    db,
  );
  await deleteExpired(db);
  expect(await trailOf(call)).toHaveLength(1);
  await sql`update audit_entries set created_at = now() - interval '367 days' where account_id = ${accountId}`.execute(
    db,
  );
  await deleteExpired(db);
  expect(await trailOf(call)).toHaveLength(0);
  await call("PATCH", "/api/me/update", { firstname: "Bo" });
  await call("DELETE", "/api/me", { password: "correct1!" });
  const remaining = await db
    .selectFrom("audit_entries")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  expect(remaining).toEqual([]);
});
