import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApi } from "./api.ts";
import { startTestApp, type TestApp } from "./testing/test-app.ts";

let t: TestApp;
/** The same product with less patience. */
let strict: FastifyInstance;
const rules = { graceMs: 100, checkEveryMs: 20, perCaller: 4 };
const open = new Set<Socket>();

beforeAll(async () => {
  t = await startTestApp();
  await t.server.listen({ host: "127.0.0.1", port: 0 });
  strict = await createApi(t.app, undefined, rules);
  await strict.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await strict.close();
  await t.close();
});

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port;

/** Sends the head of a request and the first bytes of a long body; answers what comes back, once the other side ends. */
async function beginCall(server: FastifyInstance, path: string, headers: Record<string, string>, body = "{") {
  const socket = connect(portOf(server), "127.0.0.1");
  open.add(socket);
  // Whoever is cut off may still be sending.
  socket.on("error", () => undefined);
  const heard = once(server.server, "request");
  const method = path.endsWith("/photo") ? "PUT" : "POST";
  const lines = Object.entries({ host: "localhost", "content-length": "5000", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  let said = "";
  socket.on("data", (chunk) => (said += chunk));
  const ended = once(socket, "close").then(() => said);
  await heard;
  return { socket, ended };
}

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=x" };
const file =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc';

test("bodies that don't come keep no other call of their address waiting", async () => {
  const { token } = await t.signUp();
  const signedIn = { authorization: `Bearer ${token}` };
  const slow = [];
  for (let n = 0; n < 10; n++) slow.push(await beginCall(t.server, "/api/auth/login", json));
  for (let n = 0; n < 10; n++)
    slow.push(await beginCall(t.server, "/api/me/photo", { ...form, ...signedIn }, file));
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${portOf(t.server)}${path}`, {
      ...options,
      headers: { ...signedIn, ...options.headers },
    });
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => ask("/api/site")),
    ask("/api/me"),
    ask("/api/me/update", { method: "PATCH", headers: json, body: '{"firstname":"Bo"}' }),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // All of them were still waiting for their bodies.
  expect(slow.filter(({ socket }) => socket.destroyed)).toEqual([]);
  for (const { socket } of slow) socket.destroy();
});

test("slow senders are cut off with a sentence, whatever they send to", async () => {
  const { token } = await t.signUp();
  const signedIn = { authorization: `Bearer ${token}` };
  const calls: [string, Record<string, string>, string?][] = [
    ["/api/auth/login", json],
    ["/api/jobs/create", { ...json, ...signedIn }],
    ["/api/me/photo", { ...form, ...signedIn }, file],
    ["/api/import", { ...form, ...signedIn }, file],
    ["/api/import", { ...form, ...signedIn }, "--x"],
    ["/api/nowhere", json],
  ];
  for (const [path, headers, body] of calls) {
    const { ended } = await beginCall(strict, path, headers, body);
    const said = await ended;
    expect([path, said.split("\r\n")[0], said.includes('"code":"TOO_SLOW"')]).toEqual([
      path,
      "HTTP/1.1 408 Request Timeout",
      true,
    ]);
  }
  // Whoever is refused before its body is read isn't waited for either.
  const { ended } = await beginCall(strict, "/api/jobs/create", json);
  expect((await ended).split("\r\n")[0]).toBe("HTTP/1.1 401 Unauthorized");
});

test("a body that keeps coming is read to its end, and too many unfinished ones make room", async () => {
  const patient = await createApi(t.app, undefined, { ...rules, graceMs: 600_000 });
  await patient.listen({ host: "127.0.0.1", port: 0 });
  const slow = [];
  for (let n = 0; n < rules.perCaller; n++)
    slow.push(
      await beginCall(patient, "/api/auth/login", { ...json, "content-length": "60", connection: "close" }),
    );
  const login = '{"email":"nobody@example.com","password":"x"}'.padEnd(60);
  for (const byte of login.slice(1)) {
    for (const { socket } of slow) socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { ended } of slow) {
    expect((await ended).split("\r\n")[0]).toBe("HTTP/1.1 401 Unauthorized");
  }

  const unfinished = [];
  for (let n = 0; n <= rules.perCaller; n++)
    unfinished.push(await beginCall(patient, "/api/auth/login", json));
  // One of them made room; those that are left are still waited for.
  const said = await Promise.race(unfinished.map(({ ended }) => ended));
  expect(said).toContain("4 requests from your address were still arriving, and this one was the slowest");
  expect(unfinished.filter(({ socket }) => !socket.destroyed)).toHaveLength(rules.perCaller);
  for (const { socket } of unfinished) socket.destroy();
  await patient.close();
});

test("whoever is refused many times at once has an answer to each call, though their bodies are not read", async () => {
  const app = { ...t.app, config: { ...t.app.config, rateLimitPerMinute: 5 } };
  const busy = await createApi(app, undefined, { perCaller: 4 });
  await busy.listen({ host: "127.0.0.1", port: 0 });
  const guess = () =>
    fetch(`http://127.0.0.1:${portOf(busy)}/api/auth/login`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ email: "n@example.com", password: "x" }),
    }).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: 45 }, guess));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(40);
  await busy.close();
});
