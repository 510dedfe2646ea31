import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grantPlan } from "#billing/grant-plan.ts";
import { createOperations } from "./observability/serve-health.ts";
import { linkToken, startTestApp, type TestApp } from "./testing/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ TRUSTED_PROXIES: "192.0.2.200, 10.0.0.0/8", RATE_LIMIT_PER_MINUTE: "40" });
});
afterAll(() => t.close());

describe("callers and host names", () => {
  it.each([
    ["host", "watch.example.com"],
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-host", "localhost"],
    ["forwarded", "for=203.0.113.9"],
    ["via", "1.1 proxy"],
    ["x-real-ip", "203.0.113.9"],
  ])("the mailbox is closed to requests with the header %s: %s", async (name, value) => {
    const ip = "192.0.2.50";
    expect((await t.call("GET", "/api/mailbox", undefined, { ip })).status).toBe(200);
    const answer = await t.call("GET", "/api/mailbox", undefined, { ip, headers: { [name]: value } });
    expect(answer.status).toBe(name === "host" ? 403 : 404);
    expect(
      (await t.call("GET", "/api/site", undefined, { ip, headers: { [name]: value } })).body.mailbox,
    ).not.toBe(true);
  });

  it("with a public BASE_URL the mailbox is closed and unknown host names are refused", async () => {
    const other = await startTestApp({ BASE_URL: "https://watch.example.com" }, t.connectionString);
    expect((await other.call("GET", "/api/mailbox")).status).toBe(404);
    for (const [host, status] of [
      ["watch.example.com", 200],
      ["WATCH.example.com.:443", 200],
      ["127.0.0.1:3000", 200],
      ["[2001:db8::1]:3000", 200],
      ["evil.example", 403],
    ] as const) {
      expect([host, (await other.call("GET", "/healthz", undefined, { headers: { host } })).status]).toEqual([
        host,
        status,
      ]);
    }
    await other.close(true);
  });

  it("A7 visitors behind a trusted proxy are counted separately; other forwarded addresses are ignored", async () => {
    const statuses = async (ip: string, forwarded: (n: number) => string) => {
      const all = [];
      for (let n = 0; n < 45; n++) {
        const headers = { "x-forwarded-for": forwarded(n) };
        all.push((await t.call("GET", "/api/site", undefined, { ip, headers })).status);
      }
      return new Set(all);
    };
    expect(await statuses("192.0.2.200", (n) => `203.0.113.${n}`)).toEqual(new Set([200]));
    expect(await statuses("198.51.100.1", (n) => `203.0.113.${n}`)).toEqual(new Set([200, 429]));
    // A proxy that forwards the port too makes no new visitor of each connection.
    expect(await statuses("192.0.2.200", (n) => `203.0.113.200:${50_000 + n}`)).toEqual(new Set([200, 429]));
    // An IPv6 /64 network counts as one visitor.
    expect(await statuses("10.1.2.3", (n) => `2001:db8:7:7::${n}`)).toEqual(new Set([200, 429]));
  });
});

describe("rate limits", () => {
  it.each([
    ["/%61pi/site", "198.51.100.10"],
    ["/api/%73ite", "198.51.100.11"],
    ["http://localhost/api/site", "198.51.100.12"],
  ])("count %s like the usual spelling", async (url, ip) => {
    const statuses = [];
    for (let n = 0; n < 42; n++) statuses.push((await t.call("GET", url, undefined, { ip })).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  it("count calls without a session or with guessed keys by address, and an owner there still gets in", async () => {
    const { token } = await t.addAccount();
    const made = await t.call("POST", "/api/keys", { name: "CI", scope: "read" }, { token });
    const key = String(made.body.key);
    const statusOfMe = async (ip: string, options: object) =>
      (await t.call("GET", "/api/me", undefined, { ip, ...options })).status;
    const guesses: [string, (n: number) => { token?: string; cookie?: string }][] = [
      ["198.51.100.101", () => ({})],
      ["198.51.100.102", (n) => ({ token: `wg_${String(n).padStart(43, "x")}` })],
      ["198.51.100.103", (n) => ({ token: `nonsense.${n}.x` })],
      ["198.51.100.104", (n) => ({ cookie: `nonsense.${n}.x` })],
      // A key that worked a moment ago and was revoked counts as a guess too.
      ["198.51.100.105", () => ({ token: key })],
    ];
    for (const [ip] of guesses) expect(await statusOfMe(ip, { token })).toBe(200);
    expect(await statusOfMe("198.51.100.105", { token: key })).toBe(200);
    const { id } = made.body.apiKey as unknown as { id: string };
    await t.call("DELETE", `/api/keys/${id}`, undefined, { token });
    for (const [ip, credentialsOf] of guesses) {
      const statuses = await Promise.all(
        Array.from({ length: 60 }, (_, n) => statusOfMe(ip, credentialsOf(n))),
      );
      const unauthorized = statuses.filter((status) => status === 401).length;
      // Only calls that arrived before the first one was found to be revoked may go uncounted.
      const [least, most] = ip.endsWith("105") ? [39, 46] : [39, 40];
      expect([ip, unauthorized >= least && unauthorized <= most, new Set(statuses)]).toEqual([
        ip,
        true,
        new Set([401, 429]),
      ]);
      expect([ip, await statusOfMe(ip, { token })]).toEqual([ip, 200]);
    }
  });

  it("A1 an unknown recovery token costs no hash, and some of many concurrent sign-ins are refused", async () => {
    const reset = () =>
      t.call(
        "PATCH",
        "/api/recover/unknown-token-unknown-token-12345",
        { newPassword: "abcdefg1!" },
        { ip: "198.51.100.70" },
      );
    expect(
      new Set((await Promise.all(Array.from({ length: 30 }, reset))).map(({ status }) => status)),
    ).toEqual(new Set([400]));
    const tries = Array.from({ length: 20 }, (_, n) =>
      t.call(
        "POST",
        "/api/auth/login",
        { email: `n${n}@example.com`, password: "x" },
        { ip: "198.51.100.71" },
      ),
    );
    const other = t.call(
      "POST",
      "/api/auth/login",
      { email: "o@example.com", password: "x" },
      { ip: "198.51.100.72" },
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await other).status).toBe(401);
  });
});

describe("accounts", () => {
  const person = (email: string, password: string) => ({
    firstname: "http://evil.example",
    surname: "B",
    email,
    password,
  });
  const login = (email: string, password: string, ip: string) =>
    t.call("POST", "/api/auth/login", { email, password }, { ip });

  it("A6 two sign-ups with one address have separate links and passwords, and HEAD doesn't use up a link", async () => {
    const email = "pending@example.com";
    const [first, second] = ["firstpass1!", "secondpass1!"];
    await t.call("POST", "/api/auth/register", person(email, first), { ip: "203.0.113.1" });
    const link = linkToken(await t.mailTo(email));
    await t.call("POST", "/api/auth/register", person(email, second), { ip: "203.0.113.2" });
    const mails = [await t.mailTo(email), await t.mailTo(email, 2)];
    const other = mails.map(linkToken).find((token) => token !== link) ?? "";
    expect(mails.map(({ text }) => text).join()).not.toContain("evil.example");
    // The mails differ: each says when and from where its sign-up came, and the later one that there was another.
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Activate your Watchglass account",
      "Another sign-up at Watchglass with your address",
    ]);
    expect(mails.map(({ text }) => /from (\S+)\.\n/.exec(text)?.[1])).toEqual(["203.0.113.1", "203.0.113.2"]);
    const open = async (method: string, token: string) =>
      (await t.call(method, `/api/registration/activate/${token}`, undefined, { ip: "203.0.113.1" })).status;
    // Until its link is used, a later sign-up changes nothing.
    expect((await login(email, first, "203.0.113.3")).body.message).toMatch(/not activated yet/);
    expect((await login(email, second, "203.0.113.3")).body.message).toMatch(/wrong/);
    expect([await open("HEAD", other), await open("GET", link), await open("GET", other)]).toEqual([
      404, 200, 400,
    ]);
    expect((await login(email, first, "203.0.113.4")).status).toBe(200);
    expect((await login(email, second, "203.0.113.4")).status).toBe(401);
  });

  it("A7 N1 recovery allows five requests per hour and address, whoever asks, and other mails still arrive", async () => {
    const { email } = await t.signUp();
    const requestRecovery = (n: number) =>
      t.call("POST", "/api/recover", { email }, { ip: `203.0.113.${100 + n}` });
    const statuses = [];
    for (let n = 0; n < 7; n++) statuses.push((await requestRecovery(n)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    await t.mailTo(email, 6);
    // Mails may overtake each other; only the newest link works.
    const [, ...mails] = await t.mailsTo(email);
    const resets = [];
    for (const mail of mails) {
      const link = `/api/recover/${linkToken(mail)}`;
      const answer = await t.call("PATCH", link, { newPassword: "anotherpass1!" }, { ip: "203.0.113.130" });
      resets.push(answer.status);
    }
    expect(resets.toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
    expect((await t.mailTo(email, 7)).subject).toBe("Your Watchglass password was changed");
  });

  it("A2 a session token without an expiry is refused", async () => {
    const { token } = await t.addAccount();
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const sign = (jwt: SignJWT) =>
      jwt
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode("0123456789abcdef0123456789abcdef"));
    const { exp: _, ...endless } = claims;
    const me = async (bearer: string) =>
      (await t.call("GET", "/api/me", undefined, { token: bearer })).status;
    expect(await me(await sign(new SignJWT(claims)))).toBe(200);
    expect(await me(await sign(new SignJWT(endless)))).toBe(401);
  });
});

describe("responses", () => {
  it("about an account are never cached, and an invalid URL gets our security headers too", async () => {
    const { token } = await t.addAccount();
    expect((await t.call("GET", "/api/me", undefined, { token })).headers["cache-control"]).toBe("no-store");
    const { status, headers } = await t.call("GET", "/%");
    expect([status, headers["x-content-type-options"]]).toEqual([404, "nosniff"]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("a live view of a URL that no parser takes is refused like any other URL", async () => {
    const { token } = await t.addAccount();
    for (const url of ["http://[::1]:99999/", "http://[", "https://example.com:70000/"]) {
      const answer = await t.call("POST", "/api/live-views", { url }, { token });
      expect([url, answer.status, answer.body.code]).toEqual([url, 400, "TARGET_NOT_ALLOWED"]);
    }
  });

  it("an empty photo and a form without a boundary are refused", async () => {
    const { token } = await t.addAccount();
    const empty =
      '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\r\n--x--\r\n';
    for (const [type, body] of [
      ["multipart/form-data; boundary=x", empty],
      ["multipart/form-data", empty],
      ["multipart/form-data; boundary=x", "--x"],
    ] as const) {
      const answer = await t.call("PUT", "/api/me/photo", body, { token, headers: { "content-type": type } });
      expect([answer.status, answer.body.code]).toEqual([400, "PHOTO_INVALID"]);
    }
  });

  it("metrics are served to this machine only, or with a token to whoever sends it", async () => {
    const ask = (app: TestApp, ip: string, headers = {}) =>
      app.call("GET", "/metrics", undefined, { ip, headers });
    expect((await ask(t, "127.0.0.1")).status).toBe(200);
    expect((await ask(t, "127.0.0.1", { "x-forwarded-for": "192.0.2.7" })).status).toBe(404);
    expect((await ask(t, "192.0.2.7")).status).toBe(404);
    const other = await startTestApp({ METRICS_TOKEN: "0123456789abcdef" }, t.connectionString);
    expect((await ask(other, "127.0.0.1")).status).toBe(404);
    expect((await ask(other, "192.0.2.7", { authorization: "Bearer 0123456789abcdef" })).status).toBe(200);
    await other.close(true);
  });

  it("with a public BASE_URL the operator's pages need their token, also from this machine", async () => {
    const url = { BASE_URL: "https://watch.example.com" };
    // Like a proxy on this machine that adds no header: from loopback, under a loopback name or our own.
    const hosts = ["127.0.0.1:3000", "localhost", "watch.example.com"];
    const ask = (app: TestApp, path: string, host: string, headers = {}) =>
      app.call("GET", path, undefined, { ip: "127.0.0.1", headers: { host, ...headers } });
    const withoutToken = await startTestApp(url, t.connectionString);
    const withToken = await startTestApp({ ...url, METRICS_TOKEN: "0123456789abcdef" }, t.connectionString);
    const authorization = "Bearer 0123456789abcdef";
    for (const host of hosts) {
      const refused = await ask(withoutToken, "/metrics", host);
      expect([host, refused.status, refused.body.message]).toEqual([
        host,
        401,
        expect.stringContaining("set METRICS_TOKEN"),
      ]);
      expect((await ask(withoutToken, "/metrics", host, { authorization })).status).toBe(401);
      expect((await ask(withToken, "/metrics", host)).status).toBe(404);
      expect((await ask(withToken, "/metrics", host, { authorization })).status).toBe(200);
      for (const path of ["/api/mailbox", "/api/mailbox/1"]) {
        expect((await ask(withoutToken, path, host)).status).toBe(404);
        expect((await ask(withToken, path, host)).status).toBe(404);
      }
      const readinessMessage = async (app: TestApp, sent = {}) =>
        String((await ask(app, "/readyz", host, sent)).body.problem);
      for (const { app } of [withoutToken, withToken])
        app.jobs.blobs = { ...app.jobs.blobs, probe: () => Promise.reject(new Error("a secret place")) };
      expect(await readinessMessage(withoutToken)).toBe("Captures cannot be stored.");
      expect(await readinessMessage(withToken)).toBe("Captures cannot be stored.");
      expect(await readinessMessage(withToken, { authorization })).toBe(
        "Captures cannot be stored: a secret place.",
      );
    }
    // A role without the API needs the same token.
    for (const [app, headers, status] of [
      [withoutToken, {}, 401],
      [withToken, {}, 404],
      [withToken, { authorization }, 200],
    ] as const) {
      const server = createOperations(app.app);
      const answer = await server.inject({ url: "/metrics", remoteAddress: "127.0.0.1", headers });
      expect(answer.statusCode).toBe(status);
      await server.close();
    }
    await withoutToken.close(true);
    await withToken.close(true);
  });

  it("an account has at most ten live streams, and a new one closes the oldest", async () => {
    const { token } = await t.addAccount();
    const me = await t.call("GET", "/api/me", undefined, { token });
    const [, payload = ""] = token.split(".");
    const { sid } = JSON.parse(Buffer.from(payload, "base64url").toString());
    const actor = { accountId: String(me.body.id), sessionId: sid };
    const streams = Array.from({ length: 12 }, () => t.app.events.open(actor, undefined));
    expect(streams.map((stream) => stream.writableEnded)).toEqual([
      true,
      true,
      ...Array.from({ length: 10 }, () => false),
    ]);
    for (const stream of streams) stream.destroy();
  });
});

describe("plans without a payment provider", () => {
  it("are granted by the operator; with a public BASE_URL the sandbox sells them only if enabled", async () => {
    const publicUrl = { BASE_URL: "https://watch.example.com" };
    const { token, email } = await t.signUp();
    const other = await startTestApp(publicUrl, t.connectionString);
    const state = async () =>
      (await other.call("GET", "/api/payment/subscription", undefined, { token })).body;
    expect(await state()).toMatchObject({ planId: "basic", provider: "none" });
    const prepared = await other.call("GET", "/api/payment/prepare/ultimate", undefined, { token });
    expect([prepared.status, prepared.body.code]).toEqual([503, "PAYMENT_UNAVAILABLE"]);
    const paid = await other.call("POST", "/api/payment/sandbox/complete", { token: "x" }, { token });
    expect(paid.status).toBe(404);
    expect(await grantPlan(other.app.billing, email, "ultimate")).toBe(true);
    expect(await state()).toMatchObject({ planId: "ultimate" });
    expect(await grantPlan(other.app.billing, email, "basic")).toBe(true);
    expect(await state()).toMatchObject({ planId: "basic" });
    await other.close(true);
    const withSandbox = await startTestApp({ ...publicUrl, SANDBOX_CHECKOUT: "1" }, t.connectionString);
    expect(
      (await withSandbox.call("GET", "/api/payment/subscription", undefined, { token })).body.provider,
    ).toBe("sandbox");
    await withSandbox.close(true);
  });
});
