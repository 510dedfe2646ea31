import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { PageProxy } from "#contract/proxy.ts";
import type { ProxyProblem } from "#network/proxy.ts";
import { startProxy, type TestProxy } from "#network/testing/start-proxy.ts";
import { recordProxyUses } from "#proxies/record-proxy-uses.ts";
import { setOperatorProxies } from "#proxies/set-operator-proxies.ts";

const credentials = { username: "ana", password: "hunter-proxy" };
let engine: SharedEngine;
let socks: TestProxy;
let http: TestProxy;
const echo = createServer((_request, response) => response.end('{"ip": "198.51.100.7"}'));
beforeAll(async () => {
  engine = await sharedEngine();
  [socks, http] = await Promise.all([
    startProxy({ protocol: "socks5", credentials }),
    startProxy({ protocol: "http" }),
    new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve)),
  ]);
});
afterAll(async () => {
  await Promise.all([socks.stop(), http.stop()]);
  echo.close();
});

type Person = Awaited<ReturnType<typeof engine.person>>;
const echoUrl = () => `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
const input = (more: object = {}) => ({
  name: "Berlin",
  protocol: "socks5",
  host: "127.0.0.1",
  port: socks.port,
  ...credentials,
  echoUrl: echoUrl(),
  ...more,
});
async function addProxy(person: Person, more: object = {}): Promise<PageProxy> {
  const answer = await person.call("POST", "/api/proxies", input(more));
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.proxy as unknown as PageProxy;
}
const listProxies = async (person: Person) =>
  (await person.call("GET", "/api/proxies")).body.proxies as unknown as PageProxy[];

test("D1 a proxy's password is sealed, never shown, and stays when the proxy is renamed", async () => {
  const person = await engine.person();
  const { id } = await addProxy(person);
  const renamed = { ...input({ name: "Hamburg" }), password: null };
  expect((await person.call("PUT", `/api/proxies/${id}`, renamed)).status).toBe(200);
  const [proxy] = await listProxies(person);
  expect(proxy).toMatchObject({ name: "Hamburg", username: "ana", hasPassword: true, isShared: false });
  const row = await engine.app.db
    .selectFrom("proxies")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(JSON.stringify([proxy, row])).not.toContain("hunter-proxy");
  expect((await person.call("POST", `/api/proxies/${id}/test`)).body.message).toMatch(/“Hamburg” works/);
});

test("a password never goes to another proxy than the one that it was entered for", async () => {
  const person = await engine.person();
  const { id } = await addProxy(person);
  for (const moved of [{ port: http.port }, { host: "localhost.example" }, { username: "bob" }]) {
    const answer = await person.call("PUT", `/api/proxies/${id}`, { ...input(moved), password: null });
    expect([answer.status, answer.body.field]).toEqual([400, "host" in moved ? "host" : "password"]);
  }
  const withPassword = await person.call(
    "PUT",
    `/api/proxies/${id}`,
    input({ port: http.port, protocol: "http" }),
  );
  expect(withPassword.status).toBe(200);
});

test.for<[string, object, string]>([
  ["a private address", { host: "10.0.0.1" }, "host"],
  ["cloud metadata", { host: "169.254.169.254" }, "host"],
  ["a URL as host", { host: "http://127.0.0.1" }, "host"],
  ["a port that browsers block", { host: "8.8.8.8", port: 25 }, "host"],
  ["port 0", { port: 0 }, "port"],
  ["names looked up by the proxy", { looksUpNames: true }, "looksUpNames"],
  ["an echo URL inside", { echoUrl: "http://10.0.0.1/" }, "echoUrl"],
  ["a password without a username", { username: "" }, "username"],
  ["another protocol", { protocol: "socks4" }, "protocol"],
  ["control characters", { password: "a\r\nHost: b" }, "password"],
])("E4 a proxy with %s is refused", async ([, more, field]) => {
  const person = await engine.person();
  const answer = await person.call("POST", "/api/proxies", input(more));
  expect([answer.status, answer.body.field]).toEqual([400, field]);
  expect(await listProxies(person)).toEqual([]);
});

describe("health", () => {
  test.for(["socks5", "http"] as const)(
    "a test through %s shows the address and the latency",
    async (protocol) => {
      const person = await engine.person();
      const proxy = { socks5: socks, http }[protocol];
      const none = { username: "", password: null };
      const { id } = await addProxy(person, { protocol, port: proxy.port, ...(protocol === "http" && none) });
      const { body } = await person.call("POST", `/api/proxies/${id}/test`);
      expect(body.message).toMatch(/“Berlin” works\. Sites see the address 198\.51\.100\.7\. .* \d+ ms/);
      expect(body.proxy).toMatchObject({
        address: "198.51.100.7",
        latencyMs: expect.any(Number),
        lastSuccessAt: expect.any(String),
        problem: null,
      });
      expect(proxy.asked.at(-1)).toBe(new URL(echoUrl()).host);
    },
  );

  test("R7 tests of proxies that never answer hold no slot that other callers of the address need", async () => {
    const sockets = new Set<Socket>();
    const silent = createTcpServer((socket) => {
      sockets.add(socket.on("error", () => {}));
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    // An account has two tests at a time, an address six slots.
    const people = await Promise.all(Array.from({ length: 4 }, () => engine.person()));
    const ids = await Promise.all(people.map((person) => addProxy(person, { port })));
    const tests = people.flatMap((person, at) =>
      [1, 2].map(() => person.call("POST", `/api/proxies/${ids[at]?.id}/test`)),
    );
    await engine.waitFor("eight connections", () => Promise.resolve(sockets.size >= 8));
    for (const socket of sockets) socket.destroy();
    for (const { body } of await Promise.all(tests))
      expect(body.message).toMatch(/“Berlin” doesn’t work\. It is down: it accepted our connection/);
  });

  test("a proxy that is down says why, until it works again", async () => {
    const person = await engine.person();
    const { id } = await addProxy(person, { password: "wrong" });
    const down = await person.call("POST", `/api/proxies/${id}/test`);
    const problem = "It is down: it did not accept the username and password.";
    expect([down.status, down.body.proxy]).toMatchObject([200, { problem, address: null }]);
    await person.call("PUT", `/api/proxies/${id}`, input());
    await person.call("POST", `/api/proxies/${id}/test`);
    expect((await listProxies(person))[0]).toMatchObject({ problem: null, address: "198.51.100.7" });
  });
});

test("a proxy that refuses one site isn't down, and one that refuses the password is", async () => {
  const person = await engine.person();
  const { id } = await addProxy(person);
  const use = { id, name: "Berlin", ms: null };
  await recordProxyUses(engine.app.proxies, person.accountId, [{ ...use, problem: "denied" }]);
  expect((await listProxies(person))[0]).toMatchObject({ problem: null, failedAt: null });
  await recordProxyUses(engine.app.proxies, person.accountId, [{ ...use, problem: "credentials" }]);
  expect((await listProxies(person))[0]?.problem).toMatch(/did not accept/);
});

describe("a job's proxies", () => {
  test("are given to each capture in their order, with their credentials", async () => {
    const person = await engine.person();
    const [berlin, tokyo] = [
      await addProxy(person),
      await addProxy(person, { name: "Tokyo", port: http.port }),
    ];
    const id = await person.createJob({ proxies: [tokyo.id, berlin.id, "direct"] });
    await person.execution(id, 1);
    const [first, second] = engine.site.requests.slice(-2);
    expect(first?.proxies).toMatchObject([
      { name: "Tokyo", proxy: { port: http.port, credentials } },
      { name: "Berlin", proxy: { protocol: "socks5" } },
      { id: "direct" },
    ]);
    expect(first?.proxies?.[2]?.proxy).toBeUndefined();
    // The second capture goes where the first went: elsewhere, the page may be another one.
    expect(second?.proxies?.map(({ name }) => name)).toEqual(["Tokyo"]);
  });

  test("of another account can't be chosen, seen, changed or tested", async () => {
    const [owner, other] = [await engine.person(), await engine.person()];
    const { id } = await addProxy(owner);
    await expect(other.createJob({ proxies: [id] })).rejects.toThrow("doesn’t exist any more");
    const job = await other.createJob();
    for (const answer of [
      await other.call("PATCH", `/api/jobs/${job}`, { proxies: [id] }),
      await other.call("PUT", `/api/jobs/groups/${other.groupId}/settings`, { proxies: [id] }),
      await other.call("POST", "/api/previews", { url: "http://127.0.0.1:8080/", proxies: [id] }),
    ])
      expect([answer.status, answer.body.field]).toEqual([400, "proxies"]);
    expect(await listProxies(other)).toEqual([]);
    for (const [method, path] of [
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/test"],
    ] as const)
      expect(
        (await other.call(method, `/api/proxies/${id}${path}`, method === "PUT" ? input() : undefined))
          .status,
      ).toBe(404);
  });

  test("can't be deleted while a job or a group uses them", async () => {
    const person = await engine.person();
    const { id } = await addProxy(person);
    const job = await person.createJob({ proxies: [id] });
    await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { proxies: [id] });
    expect((await listProxies(person))[0]).toMatchObject({ jobs: 1, groups: 1 });
    const refused = await person.call("DELETE", `/api/proxies/${id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "1 job and 1 group use this proxy. Choose another one there first.",
    ]);
    await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {});
    await person.call("PATCH", `/api/jobs/${job}`, { proxies: null });
    expect((await person.call("DELETE", `/api/proxies/${id}`)).status).toBe(200);
    const { body } = await person.call("GET", "/api/me/audit");
    const entries = (body.entries as unknown as { action: string; about: string }[]).filter(({ action }) =>
      action.startsWith("proxy-"),
    );
    expect(entries).toMatchObject([
      { action: "proxy-deleted", about: "Berlin" },
      { action: "proxy-made", about: "Berlin" },
    ]);
  });

  test("that are missing make the check fail, and it never goes without them", async () => {
    const person = await engine.person();
    const { id } = await addProxy(person);
    const job = await person.createJob({ proxies: [id] });
    await person.execution(job, 1);
    await engine.app.db.deleteFrom("proxies").where("id", "=", id).execute();
    await person.run(job);
    expect(engine.site.requests.at(-1)?.proxies).toMatchObject([{ id, problem: "missing" }]);
  });

  test("R9 that are all down are alerted once as “Proxy down”, not as a site that is down, and the recovery too", async () => {
    const person = await engine.person();
    const { id: proxyId } = await addProxy(person);
    const id = await person.createJob({ proxies: [proxyId] });
    await person.execution(id, 1);
    const message = "The proxy is down. “Berlin”: it refused or dropped the connection.";
    engine.site.page.failure = { kind: "proxy", message };
    for (let check = 0; check < 3; check++) await person.run(id);
    expect((await person.call("GET", `/api/jobs/${id}`)).body.trouble).toMatchObject({
      kind: "proxy",
      message,
    });
    engine.site.page.failure = null;
    await person.run(id);
    const { body } = await person.call("GET", `/api/jobs/${id}`);
    expect(body).toMatchObject({ trouble: null, status: "ACTIVE", changesTotal: 0 });
    const feed = (await person.call("GET", "/api/notifications")).body as unknown as {
      notifications: { kind: string; message: string }[];
    };
    expect(feed.notifications.map(({ kind, message: text }) => [kind, text])).toEqual([
      ["recovered", "The page is reachable again after 3 failures."],
      ["failing", expect.stringContaining(`Proxy down at 2 checks in a row: ${message} Test the proxy`)],
    ]);
  });

  test("R7 that answer 429 in a site's name pause its host for their own account only", async () => {
    const [attacker, victim] = [await engine.person(), await engine.person()];
    const url = `http://127.0.0.31:${new URL(echoUrl()).port}/watched`;
    const [forged, watched] = await Promise.all([
      attacker.createJob({ url, proxies: [(await addProxy(attacker)).id] }),
      victim.createJob({ url }),
    ]);
    await Promise.all([attacker.execution(forged, 1), victim.execution(watched, 1)]);
    Object.assign(engine.site.page, { status: 429, headers: [["retry-after", "7200"]] });
    await attacker.run(forged);
    Object.assign(engine.site.page, { status: 200, headers: [] });
    const pauses = (table: "host_pauses" | "account_pauses") =>
      engine.app.db.selectFrom(table).select("host").where("host", "like", "127.0.0.31%").execute();
    expect([await pauses("host_pauses"), await pauses("account_pauses")]).toMatchObject([[], [{}]]);
    expect(await victim.run(watched)).toMatchObject({ error: null, changed: false });
  });

  test("that change make a new baseline with a note, not an alert", async () => {
    const person = await engine.person();
    engine.site.page.html = html(...story, "Price: 20 $");
    const id = await person.createJob();
    await person.execution(id, 1);
    const { id: proxyId } = await addProxy(person);
    await person.call("PATCH", `/api/jobs/${id}`, { proxies: [proxyId] });
    engine.site.page.html = html(...story, "Preis: 20 €");
    expect(await person.run(id)).toMatchObject({
      changed: false,
      summary: "The proxies changed: this capture is the new baseline",
    });
  });
});

test("the operator's proxies are shared by all accounts, without address and credentials, and follow the configuration", async () => {
  const { proxies } = engine.app;
  const berlin = { ...socks.proxy, name: "Operator’s", looksUpNames: false };
  await setOperatorProxies(proxies, [berlin]);
  const person = await engine.person();
  const [proxy] = await listProxies(person);
  expect(proxy).toMatchObject({ name: "Operator’s", isShared: true, host: null, port: null, username: "" });
  const id = proxy?.id ?? "";
  const job = await person.createJob({ proxies: [id] });
  await person.execution(job, 1);
  expect(engine.site.requests.at(-1)?.proxies).toMatchObject([{ proxy: { credentials } }]);
  expect((await person.call("DELETE", `/api/proxies/${id}`)).status).toBe(404);
  expect((await person.call("PUT", `/api/proxies/${id}`, input())).status).toBe(404);
  // An account that requests what the proxy forbids, or what never answers, says nothing to others about the proxy.
  const healthAfter = async (problem: ProxyProblem) => {
    await recordProxyUses(proxies, person.accountId, [{ id, name: "Operator’s", problem, ms: null }]);
    return (await listProxies(person))[0]?.problem;
  };
  expect([await healthAfter("denied"), await healthAfter("unanswered")]).toEqual([null, null]);
  expect(await healthAfter("refused")).toBe("It is down: it refused or dropped the connection.");
  await setOperatorProxies(proxies, [{ ...berlin, port: http.port }]);
  expect((await listProxies(person))[0]?.id).toBe(id);
  await setOperatorProxies(proxies, []);
  expect(await listProxies(person)).toEqual([]);
});

test("D3 deleting the account deletes its proxies", async () => {
  const person = await engine.person();
  await addProxy(person);
  await engine.app.db.deleteFrom("accounts").where("id", "=", person.accountId).execute();
  const left = await engine.app.db
    .selectFrom("proxies")
    .selectAll()
    .where("account_id", "=", person.accountId)
    .execute();
  expect(left).toEqual([]);
});
