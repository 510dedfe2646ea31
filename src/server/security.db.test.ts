import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "./testing/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ TRUSTED_PROXIES: "192.0.2.200, 10.0.0.0/8", RATE_LIMIT_PER_MINUTE: "40" });
});
afterAll(() => t.close());

describe("who calls, and by which name", () => {
  it.each([
    ["host", "watch.example.com"],
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-host", "localhost"],
    ["forwarded", "for=203.0.113.9"],
    ["via", "1.1 proxy"],
    ["x-real-ip", "203.0.113.9"],
  ])("the mailbox is closed to what comes with %s: %s", async (name, value) => {
    const ip = "192.0.2.50";
    expect((await t.call("GET", "/api/mailbox", undefined, { ip })).status).toBe(200);
    const answer = await t.call("GET", "/api/mailbox", undefined, { ip, headers: { [name]: value } });
    expect(answer.status).toBe(name === "host" ? 403 : 404);
    expect(
      (await t.call("GET", "/api/site", undefined, { ip, headers: { [name]: value } })).body.mailbox,
    ).not.toBe(true);
  });

  it("the mailbox is closed where the public address is not this machine's", async () => {
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

  it("A7 behind a trusted proxy each visitor counts alone; from elsewhere forwarded addresses are not believed", async () => {
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
    // A /64 is one visitor.
    expect(await statuses("10.1.2.3", (n) => `2001:db8:7:7::${n}`)).toEqual(new Set([200, 429]));
  });
});

describe("rate limits", () => {
  it.each(["/%61pi/site", "/api/%73ite", "http://localhost/api/site"])(
    "count %s like any spelling",
    async (url) => {
      const ip = `198.51.100.${url.length}`;
      const statuses = [];
      for (let n = 0; n < 42; n++) statuses.push((await t.call("GET", url, undefined, { ip })).status);
      expect(statuses.slice(-2)).toEqual([429, 429]);
    },
  );

  it("A1 an unknown recovery token costs no hash, and of many sign-ins at once some are told to wait", async () => {
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
