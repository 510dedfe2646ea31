import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { routes } from "#contract/routes.ts";
import { registerRoutes } from "./request-handling/register-routes.ts";
import { type SharedApp, sharedApp, startTestApp, type TestApp } from "./testing/test-app.ts";

let t: SharedApp;
beforeAll(async () => {
  t = await sharedApp();
});

describe("every refused call returns a status and {code, message}", () => {
  const json = { "content-type": "application/json" };
  const login = (body: unknown, headers: Record<string, string>) =>
    t.call("POST", "/api/auth/login", body, { headers });

  it("broken JSON is refused with INVALID_JSON", async () => {
    expect((await login('{"email":', json)).body).toEqual({
      code: "INVALID_JSON",
      message: "The request body is not valid JSON.",
    });
  });
  it("Z3 a body that is too large is refused with TOO_LARGE", async () => {
    const answer = await login(JSON.stringify({ email: "x".repeat(256 * 1024) }), json);
    expect([answer.status, answer.body.code]).toEqual([413, "TOO_LARGE"]);
  });
  it("Z3 a compressed body is refused with UNSUPPORTED_MEDIA_TYPE", async () => {
    const answer = await login(gzipSync("{}"), { ...json, "content-encoding": "gzip" });
    expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/xml"])(
    "A4 a body of type %s instead of JSON is refused",
    async (type) => {
      const answer = await login("email=a", { "content-type": type });
      expect([answer.status, answer.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    },
  );
  it("an unknown path or method is refused with 404 NOT_FOUND", async () => {
    for (const [method, path] of [
      ["GET", "/api/nothing"],
      ["PUT", "/api/auth/login"],
      ["GET", "/api/%E0%A4%A"],
      ["POST", "/nothing"],
    ] as const) {
      const answer = await t.call(method, path);
      expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    }
  });
  it("a call without a session is refused with 401 before its body is validated", async () => {
    const answer = await t.call("PATCH", "/api/me/update", { firstname: 7 });
    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });
  it("Z7 an internal error returns an id to quote, and its cause is only in the log", async () => {
    const { token } = await t.signUp();
    await sql`alter table accounts rename column surname to surname_gone`.execute(t.app.db);
    const answer = await t.call("GET", "/api/me", undefined, { token });
    await sql`alter table accounts rename column surname_gone to surname`.execute(t.app.db);
    expect([answer.status, answer.body.code]).toEqual([500, "INTERNAL"]);
    const { id, message } = answer.body as { id?: string; message?: string };
    expect(message).toBe(
      `Something went wrong on our side. If it happens again, contact support with this id: ${id}`,
    );
    expect(JSON.stringify(answer.body)).not.toMatch(/surname|column|select|\.ts/);
    expect(t.log.some((line) => line.includes(String(id)) && line.includes("surname"))).toBe(true);
  });
});

describe("rate limits", () => {
  it("A7 the sign-up limit counts per address (IPv6 per /64) and survives a restart", async () => {
    const first = await startTestApp({ SIGN_UP_PER_HOUR: "2" });
    const person = { firstname: "A", surname: "B", password: "abcdefg1!" };
    const register = (app: TestApp, n: number, ip: string) =>
      app.call("POST", "/api/auth/register", { ...person, email: `limit-${n}@example.com` }, { ip });
    expect((await register(first, 1, "2001:db8:1:2::1")).status).toBe(200);
    expect((await register(first, 2, "2001:db8:1:2:ffff::2")).status).toBe(200);
    await first.close(true);
    const second = await startTestApp({ SIGN_UP_PER_HOUR: "2" }, first.connectionString);
    const refused = await register(second, 3, "2001:db8:1:2::3");
    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3000);
    expect((await register(second, 4, "2001:db8:1:3::1")).status).toBe(200);
    await second.close();
  });

  it("a caller over the limit of calls per minute gets 429 with Retry-After", async () => {
    const small = await startTestApp({ RATE_LIMIT_PER_MINUTE: "3" });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await small.call("GET", "/api/site")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await small.call("GET", "/api/site");
    expect(refused.body.code).toBe("RATE_LIMITED");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await small.call("GET", "/api/site", undefined, { ip: "192.0.2.9" })).status).toBe(200);
    await small.close();
  });
});

describe("API server", () => {
  it("Z1 a route without an access rule or a handler prevents the server from starting", () => {
    const row = { ...routes.me, access: undefined as never };
    expect(() => registerRoutes(t.server, t.app, { me: row }, { me: async () => ({}) })).toThrow(
      "route me declares no access rule",
    );
    expect(() => registerRoutes(t.server, t.app, { me: routes.me }, {})).toThrow("route me has no handler");
  });

  it("Z1 every account route refuses a caller without a session, whatever else is wrong with the call", async () => {
    const missing = "00000000-0000-4000-8000-000000000000";
    for (const route of Object.values(routes).filter(({ access }) => access === "account")) {
      const answer = await t.call(route.method, route.path.replace(/:\w+/g, missing));
      expect([route.path, answer.status, answer.body.code]).toEqual([route.path, 401, "UNAUTHENTICATED"]);
    }
  });

  it("V4 sends the content security policy and no HSTS over plain http", async () => {
    const { headers } = await t.call("GET", "/api/site");
    expect(headers["content-security-policy"]).toBe(
      "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
    expect(headers["strict-transport-security"]).toBeUndefined();
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("the OpenAPI document lists every route and no others", async () => {
    const { body } = await t.call("GET", "/api/openapi.json");
    const documented = Object.entries((body as { paths?: Record<string, object> }).paths ?? {}).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = Object.values(routes).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
    );
    expect(documented.sort()).toEqual(expected.sort());
  });

  it("the OpenAPI document is written once, however often anybody asks for it", async () => {
    const paths = ["/api/openapi.json", "/api/docs/json", "/api/docs/yaml"];
    await t.call("GET", "/api/openapi.json");
    const writeJson = vi.spyOn(JSON, "stringify");
    const statuses = [];
    for (const path of paths) statuses.push((await t.call("GET", path)).status);
    const longTexts = writeJson.mock.results.filter(({ value }) => String(value).length > 10_000);
    writeJson.mockRestore();
    expect([statuses, longTexts.length]).toEqual([[200, 302, 404], 0]);
    expect((await t.call("GET", "/api/docs/json")).headers.location).toBe("/api/openapi.json");
  });

  it("the API documentation page has our title and our own style sheet", async () => {
    const page = (await t.call("GET", "/api/docs/")).raw.toString();
    expect(page).toContain("<title>Watchglass API</title>");
    expect(page).not.toContain("favicon-32x32");
    const style = await t.call("GET", "/api/docs/static/theme/watchglass.css");
    expect(style.headers["content-type"]).toMatch(/^text\/css/);
    expect(style.raw.toString()).toContain(".swagger-ui .topbar");
  });

  it("the health, readiness and metrics endpoints respond", async () => {
    expect((await t.call("GET", "/healthz")).body).toEqual({ status: "ok" });
    expect((await t.call("GET", "/readyz")).body).toEqual({ status: "ready" });
    await t.call("GET", "/api/me");
    const { raw, headers } = await t.call("GET", "/metrics", undefined, { ip: "127.0.0.1" });
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(raw.toString()).toContain(
      'watchglass_http_request_seconds_count{method="GET",route="/api/me",status="401"}',
    );
  });

  it("the mailbox is unavailable when the server isn't on loopback or sends mail by SMTP", async () => {
    expect((await t.call("GET", "/api/mailbox")).status).toBe(200);
    expect((await t.call("GET", "/api/mailbox/..%2fsession-secret")).status).toBe(404);
    for (const [name, value] of [
      ["HOST", "0.0.0.0"],
      ["SMTP_URL", "smtp://127.0.0.1:1"],
    ] as const) {
      const other = await startTestApp({ [name]: value });
      expect((await other.call("GET", "/api/mailbox")).status).toBe(404);
      expect((await other.call("GET", "/api/site")).body.mailbox).toBe(false);
      await other.close();
    }
  });
});

describe("mail", () => {
  it("a mail server that is down delays mails, but no mail is lost and no sign-up fails", async () => {
    const received: string[] = [];
    const startSmtp = async (port: number) => {
      const smtp = new SMTPServer({
        authOptional: true,
        disabledCommands: ["STARTTLS"],
        onData: (stream, session, done) => {
          received.push(...session.envelope.rcptTo.map(({ address }) => address));
          stream.resume().on("end", () => done());
        },
      });
      const listener = await new Promise<ReturnType<typeof smtp.listen>>((resolve) => {
        const started = smtp.listen(port, "127.0.0.1", () => resolve(started));
      });
      const close = () => new Promise<void>((resolve) => smtp.close(resolve));
      return { port: (listener.address() as { port: number }).port, close };
    };
    const { port, close } = await startSmtp(0);
    await close();

    const other = await startTestApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const person = { firstname: "A", surname: "B", email: "late@example.com", password: "abcdefg1!" };
    expect((await other.call("POST", "/api/auth/register", person)).status).toBe(200);
    await expect.poll(() => other.log.some((line) => line.includes("a mail is delayed"))).toBe(true);

    const revived = await startSmtp(port);
    await expect.poll(() => received).toEqual(["late@example.com"]);
    await revived.close();
    await other.close();
  });
});

describe("D2 secrets", () => {
  it("appear neither in the log nor as plain text in the database", async () => {
    const { email, password, token, activation } = await t.signUp();
    await t.call("POST", "/api/recover", { email });
    const recovery = /\/recover\/([\w-]+)/.exec((await t.mailTo(email, 2)).text)?.[1] ?? "";
    await t.call("PATCH", `/api/recover/${recovery}`, { newPassword: "markedpass1!" });
    const me = await t.call("GET", "/api/me", undefined, { cookie: token });
    expect(me.status).toBe(401);
    const tables = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(t.app.db);
    let contents = "";
    for (const { name } of tables.rows) {
      const rows = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(
        t.app.db,
      );
      contents += rows.rows.map(({ row }) => row).join("\n");
    }
    expect(contents).toContain(email);
    for (const secret of [password, token, activation, recovery, "markedpass1!"]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(contents).not.toContain(secret);
      expect(t.log.join("")).not.toContain(secret);
    }
  });
});
