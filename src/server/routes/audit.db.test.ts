import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { grantPlan } from "#billing/grant-plan.ts";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { auditActions } from "#contract/audit.ts";
import type { Route } from "#contract/route.ts";
import { type RouteName, routes } from "#contract/routes.ts";
import { startDiscordServer } from "#delivery/testing/discord-server.ts";
import { deleteOldAuditEntries } from "#storage/audit.ts";
import { trail } from "../audit-calls.ts";

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

test("tells who did what, when and from where", async () => {
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
  const again = await engine.call("POST", "/api/auth/login", { email, password: "correct1!" });
  const entries = await trailOf((method, url) =>
    engine.call(method, url, undefined, { token: String(again.body.token) }),
  );
  const said = entries.map(({ text, about, actor }) => [text, about, actor].filter(Boolean).join(" | "));
  expect(said.reverse()).toEqual([
    "Signed in | you",
    "Job created | Prices | you",
    "Rules changed | Prices: selector, ignore | you",
    "Job changed | Prices: frequency | you",
    "Link shared | Prices | you",
    "Shared link revoked | you",
    "Channel linked | Discord | you",
    "Notifications switched | Telegram off | you",
    "Plan changed | Ultimate to Professional | operator",
    "Job deleted | Prices | you",
    "Sign-in with a wrong password | you",
    "Signed in | you",
    "Signed out | you",
    "Signed in | you",
  ]);
  await discord.close();
  const at = (text: string, address: string) =>
    entries.find((entry) => entry.text === text && entry.address === address);
  expect(at("Sign-in with a wrong password", "198.51.100.9")).toMatchObject({ device: "curl" });
  expect(at("Signed in", "2001:db8::1")).toMatchObject({ device: "Firefox on Linux" });
});

test("every call of the table is listed, or it is written down why not", () => {
  expect(Object.keys(trail).sort()).toEqual(Object.keys(routes).sort());
  const words = Object.values(trail).map((listed) => {
    if (typeof listed === "function") return "Listed, in words that depend on the call.";
    return "unlisted" in listed ? listed.unlisted : `Listed: ${auditActions[listed.action]}.`;
  });
  for (const sentence of words) expect(sentence).toMatch(/^[A-Z].{15,}\.$/);
  expect(words.join()).not.toContain("undefined");
  // What is downloaded as a file, and what others can open without an account, is listed whatever is written here.
  const isListed = (name: string) => !("unlisted" in trail[name as RouteName]);
  const downloads = Object.entries<Route>(routes).filter(
    ([name, { access, method, reply }]) =>
      access === "account" &&
      method === "GET" &&
      typeof reply === "string" &&
      !/^image\/|event-stream/.test(reply) &&
      !["executionHtml", "executionText"].includes(name),
  );
  expect(downloads.map(([name]) => name).sort()).toEqual([
    "exportAccount",
    "exportAudit",
    "exportJob",
    "reportHtml",
    "reportPdf",
  ]);
  const opened = Object.keys(routes).filter((name) =>
    /^(create|renew)(Share|Feed|ApiKey)|^shareReport|^addBrowser/.test(name),
  );
  for (const name of [...downloads.map(([one]) => one), ...opened])
    expect([name, isListed(name)]).toEqual([name, true]);
});

test("lists what reads much, and what opens something to the public", async () => {
  const { call, createJob, execution } = await engine.person();
  const jobId = await createJob({ name: "Prices" });
  await execution(jobId, 1);
  const report = await call("POST", "/api/reports", { jobId, title: "March" });
  const at = `/api/reports/${String(report.body.id)}`;
  await engine.waitFor("the report", async () => (await call("GET", `${at}/pdf`)).status === 200);
  await call("GET", `${at}/html`);
  await call("POST", `${at}/share`, { days: 7 });
  await call("DELETE", `${at}/share`);
  await call("GET", `/api/jobs/${jobId}/export?format=csv`);
  await call("GET", "/api/export");
  await call("GET", "/api/me/audit/export");
  await call("DELETE", at);
  const key = await call("POST", "/api/keys", { name: "Nightly", scope: "read" });
  const byKey = await engine.call("GET", "/api/export", undefined, { token: String(key.body.key) });
  expect([byKey.status, byKey.body]).toEqual([200, {}]);
  const entries = (await trailOf(call)).reverse();
  const said = entries.map(({ text, about }) => [text, about].filter(Boolean).join(" | "));
  expect(said).toEqual([
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
    "API key made | Nightly (read)",
    "Account archive downloaded",
  ]);
  expect(entries.at(-1)?.device).toBe("API key Nightly");
});

test("what was refused is not told as done, and nobody sees another's", async () => {
  const mine = await engine.person();
  const theirs = await engine.person();
  const jobId = await theirs.createJob({ name: "Theirs" });
  expect((await mine.call("DELETE", `/api/jobs/${jobId}`)).status).toBe(404);
  const texts = (await trailOf(mine.call)).map(({ text }) => text);
  expect(texts).toEqual(["Signed in"]);
});

test("comes page by page and as CSV that no spreadsheet runs", async () => {
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

test("is kept a year, and goes with its account", async () => {
  const { call, accountId } = await engine.person();
  const { db } = engine.app;
  await sql`update audit_entries set created_at = now() - interval '364 days' where account_id = ${accountId}`.execute(
    db,
  );
  await deleteOldAuditEntries(db);
  expect(await trailOf(call)).toHaveLength(1);
  await sql`update audit_entries set created_at = now() - interval '367 days' where account_id = ${accountId}`.execute(
    db,
  );
  await deleteOldAuditEntries(db);
  expect(await trailOf(call)).toHaveLength(0);
  await call("PATCH", "/api/me/update", { firstname: "Bo" });
  await call("DELETE", "/api/me", { password: "correct1!" });
  const left = await db
    .selectFrom("audit_entries")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  expect(left).toEqual([]);
});
