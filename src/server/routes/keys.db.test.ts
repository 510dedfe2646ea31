import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { scopeOf } from "#contract/route.ts";
import { routes } from "#contract/routes.ts";
import type { Scope } from "#contract/scopes.ts";

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
const by = (key: string) => (method: string, url: string, body?: unknown) =>
  engine.call(method, url, body, { token: key });
const listed = async () =>
  (await person.call("GET", "/api/keys")).body.keys as unknown as {
    id: string;
    name: string;
    lastUsedAt: string | null;
    expired: boolean;
  }[];

test("a key does what its scope allows, and is told what it would need", async () => {
  const [read, check, write, everything] = (
    await Promise.all((["read", "check", "write", "everything"] as const).map((scope) => makeKey(scope)))
  ).map(({ key }) => by(key)) as [
    ReturnType<typeof by>,
    ReturnType<typeof by>,
    ReturnType<typeof by>,
    ReturnType<typeof by>,
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
  const more = await everything("POST", "/api/keys", { name: "Another", scope: "read" });
  expect([more.status, more.body.message]).toEqual([
    403,
    "No API key may do this: sign in with the password.",
  ]);
});

test("whoever may only read cannot link a chat by what they read", async () => {
  const tokens = async (scope: Scope) => {
    const { body } = await by((await makeKey(scope)).key)("GET", "/api/me");
    return (body.UserBotToken as unknown as { telegramPrivateToken: string }[])[0]?.telegramPrivateToken;
  };
  expect(await tokens("write")).toBe("");
  expect(await tokens("everything")).toMatch(/^.{20,}$/);
});

test("a key is shown once, its last use is noted, and its owner is told by mail", async () => {
  const { key, id, hint } = await makeKey("read", { name: "Nightly <b>cron</b>" });
  expect(key).toMatch(/^wg_[\w-]{43}$/);
  expect(hint).toBe(key.slice(0, 8));
  const find = async () => (await listed()).find((one) => one.id === id);
  expect(await find()).toMatchObject({ name: "Nightly <b>cron</b>", lastUsedAt: null });
  await by(key)("GET", "/api/me");
  expect((await find())?.lastUsedAt).not.toBeNull();
  const { rows } = await sql<{ row: string }>`select api_keys::text as row from api_keys`.execute(
    engine.app.db,
  );
  expect(rows.filter(({ row }) => row.includes(key))).toEqual([]);
  expect(engine.log.filter((line) => line.includes(key))).toEqual([]);
  const told = await engine.waitFor("the mail", async () =>
    (await engine.mailsTo(person.email)).find((mail) => mail.text.includes("Nightly")),
  );
  expect(told.subject).toBe("A new API key for your Watchglass account");
  expect(told.html).not.toContain("<b>cron");
});

test("revoked, expired, mistyped and foreign keys are refused", async () => {
  const revoked = await makeKey("everything");
  expect((await person.call("DELETE", `/api/keys/${revoked.id}`)).body.message).toBe(
    'The key "Key to everything" does not work any more.',
  );
  const expired = await makeKey("read", { days: 1 });
  expect((await by(expired.key)("GET", "/api/me")).status).toBe(200);
  await sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`.execute(
    engine.app.db,
  );
  expect((await listed()).find(({ id }) => id === expired.id)?.expired).toBe(true);
  for (const key of [revoked.key, expired.key, `wg_${"A".repeat(43)}`, "wg_short"]) {
    const answer = await by(key)("GET", "/api/me");
    expect([answer.status, answer.body.message]).toEqual([
      401,
      "This API key does not work: it was revoked, has expired or is mistyped.",
    ]);
  }
  const other = await engine.person("basic");
  const mine = await makeKey("read");
  expect((await other.call("DELETE", `/api/keys/${mine.id}`)).status).toBe(404);
  expect((await by(mine.key)("GET", "/api/me")).status).toBe(200);
  expect((await other.call("GET", "/api/keys")).body).toEqual({ keys: [] });
});

test("bad input is refused in a sentence at its field; an account has fifty keys", async () => {
  for (const [input, field, sentence] of [
    [{ name: "", scope: "read" }, "name", "Name must be 1-60 characters."],
    [{ name: "x".repeat(61), scope: "read" }, "name", "Name must be 1-60 characters."],
    [{ name: "a\u0000b", scope: "read" }, "name", "Name must not contain control characters."],
    [{ name: "a", scope: "admin" }, "scope", "The scope must be one of: read, check, write, everything."],
    [{ name: "a", scope: "read", days: 0 }, "days", "A key lasts one day at least."],
    [{ name: "a", scope: "read", days: 1.5 }, "days", "Say in how many whole days the key ends."],
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

test("of all calls, each that a key can make is weighed: reading never writes", () => {
  const weighed = Object.entries(routes).filter(([, route]) => route.access === "account");
  const reading = weighed.filter(([, route]) => scopeOf(route) === "read");
  // An agent's tools are calls of their own.
  expect(reading.filter(([name, { method }]) => method !== "GET" && name !== "mcp")).toEqual([]);
  expect(scopeOf(routes.preparePayment)).toBe("everything");
  expect(scopeOf(routes.deleteMe)).toBe("everything");
});

test("keys, and what is done by them, are in the audit trail", async () => {
  const other = await engine.person();
  const made = await other.call("POST", "/api/keys", { name: "Build server", scope: "write" });
  const { key, apiKey } = made.body as unknown as { key: string; apiKey: { id: string } };
  expect((await by(key)("PATCH", `/api/jobs/${await other.createJob()}/PAUSED`)).status).toBe(200);
  await other.call("DELETE", `/api/keys/${apiKey.id}`);
  const { entries } = (await other.call("GET", "/api/me/audit")).body as unknown as {
    entries: { action: string; about: string; device: string }[];
  };
  const of = (action: string) => entries.find((entry) => entry.action === action);
  expect(of("key-made")?.about).toBe("Build server (write)");
  expect(of("key-revoked")?.about).toBe("Build server");
  expect(of("job-changed")).toMatchObject({ about: "Job 1: paused", device: "API key Build server" });
});
