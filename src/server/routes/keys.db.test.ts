import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { Scope } from "#accounts/api-key-scopes.ts";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { scopeOf } from "#contract/route.ts";
import { routes } from "#contract/routes.ts";

let engine: SharedEngine;
let person: Awaited<ReturnType<typeof engine.person>>;
beforeAll(async () => {
  engine = await sharedEngine();
  person = await engine.person();
});

async function makeKey(scope: Scope, input: object = {}) {
  const answer = await person.call("POST", "/api/keys", { name: `Key to ${scope}`, scope, ...input });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { key, apiKey } = answer.body as unknown as { key: string; apiKey: { id: string; hint: string } };
  return { key, ...apiKey };
}
const callWith = (key: string) => (method: string, url: string, body?: unknown) =>
  engine.call(method, url, body, { token: key });
const listKeys = async () =>
  (await person.call("GET", "/api/keys")).body.keys as unknown as {
    id: string;
    name: string;
    lastUsedAt: string | null;
    expired: boolean;
  }[];

test("a key may do what its scope allows, and a refusal names the scope that it needs", async () => {
  const [read, check, write, everything] = (
    await Promise.all((["read", "check", "write", "everything"] as const).map((scope) => makeKey(scope)))
  ).map(({ key }) => callWith(key)) as [
    ReturnType<typeof callWith>,
    ReturnType<typeof callWith>,
    ReturnType<typeof callWith>,
    ReturnType<typeof callWith>,
  ];
  const id = await person.createJob();
  await person.execution(id, 1);
  expect((await read("GET", `/api/jobs/${id}`)).body.id).toBe(id);
  const refused = await read("POST", `/api/jobs/${id}/run`);
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      code: "SCOPE_MISSING",
      message: 'This API key has the scope "read"; this call needs "check" (also run checks).',
    },
  ]);
  expect((await check("POST", `/api/jobs/${id}/run`)).status).toBe(202);
  expect((await person.execution(id, 2)).changed).toBe(false);
  expect((await check("PATCH", `/api/jobs/${id}/PAUSED`)).body.code).toBe("SCOPE_MISSING");
  expect((await write("PATCH", `/api/jobs/${id}/PAUSED`)).status).toBe(200);
  expect((await read("GET", `/api/jobs/${id}`)).body.status).toBe("PAUSED");
  expect((await write("PATCH", "/api/settings/notifications", { emailNotifications: false })).status).toBe(
    403,
  );
  expect(
    (await everything("PATCH", "/api/settings/notifications", { emailNotifications: true })).status,
  ).toBe(200);
  const newKey = await everything("POST", "/api/keys", { name: "Another", scope: "read" });
  expect([newKey.status, newKey.body.message]).toEqual([
    403,
    "API keys can’t do this. Sign in with your password.",
  ]);
});

test("only a key with the scope everything can read the token that links a chat", async () => {
  const tokens = async (scope: Scope) => {
    const { body } = await callWith((await makeKey(scope)).key)("GET", "/api/me");
    return (body.UserBotToken as unknown as { telegramPrivateToken: string }[])[0]?.telegramPrivateToken;
  };
  expect(await tokens("write")).toBe("");
  expect(await tokens("everything")).toMatch(/^.{20,}$/);
});

test("only a key with the scope everything can download the whole account", async () => {
  for (const scope of ["read", "check", "write"] as const) {
    const refused = await callWith((await makeKey(scope)).key)("GET", "/api/export");
    expect([scope, refused.status, refused.body.code]).toEqual([scope, 403, "SCOPE_MISSING"]);
  }
  const { status } = await callWith((await makeKey("everything")).key)("GET", "/api/export");
  expect(status).toBe(200);
});

test("a key is shown once, its last use is recorded, and its owner gets a mail", async () => {
  const { key, id, hint } = await makeKey("read", { name: "Nightly <b>cron</b>" });
  expect(key).toMatch(/^wg_[\w-]{43}$/);
  expect(hint).toBe(key.slice(0, 8));
  const find = async () => (await listKeys()).find((entry) => entry.id === id);
  expect(await find()).toMatchObject({ name: "Nightly <b>cron</b>", lastUsedAt: null });
  await callWith(key)("GET", "/api/me");
  expect((await find())?.lastUsedAt).not.toBeNull();
  const { rows } = await sql<{ row: string }>`select api_keys::text as row from api_keys`.execute(
    engine.app.db,
  );
  expect(rows.filter(({ row }) => row.includes(key))).toEqual([]);
  expect(engine.log.filter((line) => line.includes(key))).toEqual([]);
  const notice = await engine.waitFor("the mail", async () =>
    (await engine.mailsTo(person.email)).find((mail) => mail.text.includes("Nightly")),
  );
  expect(notice.subject).toBe("A new API key for your Watchglass account");
  expect(notice.html).not.toContain("<b>cron");
});

test("revoked, expired, mistyped and foreign keys are refused", async () => {
  const revoked = await makeKey("everything");
  expect((await person.call("DELETE", `/api/keys/${revoked.id}`)).body.message).toBe(
    'The key "Key to everything" no longer works.',
  );
  const expired = await makeKey("read", { days: 1 });
  expect((await callWith(expired.key)("GET", "/api/me")).status).toBe(200);
  await sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`.execute(
    engine.app.db,
  );
  expect((await listKeys()).find(({ id }) => id === expired.id)?.expired).toBe(true);
  for (const key of [revoked.key, expired.key, `wg_${"A".repeat(43)}`, "wg_short"]) {
    const answer = await callWith(key)("GET", "/api/me");
    expect([answer.status, answer.body.message]).toEqual([
      401,
      "This API key does not work: it was revoked, has expired or is mistyped.",
    ]);
  }
  const other = await engine.person("basic");
  const mine = await makeKey("read");
  expect((await other.call("DELETE", `/api/keys/${mine.id}`)).status).toBe(404);
  expect((await callWith(mine.key)("GET", "/api/me")).status).toBe(200);
  expect((await other.call("GET", "/api/keys")).body).toEqual({ keys: [] });
});

test("invalid input is refused with a message at its field, and an account has at most fifty keys", async () => {
  for (const [input, field, sentence] of [
    [{ name: "", scope: "read" }, "name", "Name must be 1-60 characters."],
    [{ name: "x".repeat(61), scope: "read" }, "name", "Name must be 1-60 characters."],
    [{ name: "a\u0000b", scope: "read" }, "name", "Name must not contain control characters."],
    [{ name: "a", scope: "admin" }, "scope", "The scope must be one of: read, check, write, everything."],
    [{ name: "a", scope: "read", days: 0 }, "days", "A key is valid for at least one day."],
    [{ name: "a", scope: "read", days: 1.5 }, "days", "Enter after how many whole days the key expires."],
  ] as const) {
    const answer = await person.call("POST", "/api/keys", input);
    expect([answer.status, answer.body.field, answer.body.message]).toEqual([400, field, sentence]);
  }
  const other = await engine.person("basic");
  const answers = await Promise.all(
    Array.from({ length: 52 }, (_, n) => other.call("POST", "/api/keys", { name: `k${n}`, scope: "read" })),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBe(50);
  expect(answers.find(({ status }) => status !== 200)?.body.message).toBe(
    "An account has at most 50 keys. Revoke one first.",
  );
});

test("every endpoint for keys has a scope, and none with the scope read writes", () => {
  const keyRoutes = Object.entries(routes).filter(([, route]) => route.access === "account");
  const readRoutes = keyRoutes.filter(([, route]) => scopeOf(route) === "read");
  // MCP is excepted: each tool of an agent is a call of its own.
  expect(readRoutes.filter(([name, { method }]) => method !== "GET" && name !== "mcp")).toEqual([]);
  expect(scopeOf(routes.preparePayment)).toBe("everything");
  expect(scopeOf(routes.deleteMe)).toBe("everything");
});

test("the audit trail lists keys and the calls made with them", async () => {
  const other = await engine.person();
  const created = await other.call("POST", "/api/keys", { name: "Build server", scope: "write" });
  const { key, apiKey } = created.body as unknown as { key: string; apiKey: { id: string } };
  expect((await callWith(key)("PATCH", `/api/jobs/${await other.createJob()}/PAUSED`)).status).toBe(200);
  await other.call("DELETE", `/api/keys/${apiKey.id}`);
  const { entries } = (await other.call("GET", "/api/me/audit")).body as unknown as {
    entries: { action: string; about: string; device: string }[];
  };
  const entryOf = (action: string) => entries.find((entry) => entry.action === action);
  expect(entryOf("key-made")?.about).toBe("Build server (write)");
  expect(entryOf("key-revoked")?.about).toBe("Build server");
  expect(entryOf("job-changed")).toMatchObject({ about: "Job 1: paused", device: "API key Build server" });
});
