import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApi } from "../api.ts";
import { startTestApp, type TestApp } from "../testing/test-app.ts";

let t: TestApp;
/** The same app with stricter limits on slow request bodies. */
let strict: FastifyInstance;
const rules = { graceMs: 100, checkEveryMs: 20, perCaller: 4 };
const openSockets = new Set<Socket>();

beforeAll(async () => {
  t = await startTestApp();
  await t.server.listen({ host: "127.0.0.1", port: 0 });
  strict = await createApi(t.app, undefined, rules);
  await strict.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  for (const socket of openSockets) socket.destroy();
  await strict.close();
  await t.close();
});

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port;

/**
 * Sends a request's headers and the first bytes of a long body. `response` resolves to the raw response once the server
 * closes the connection.
 */
async function beginCall(server: FastifyInstance, path: string, headers: Record<string, string>, body = "{") {
  const socket = connect(portOf(server), "127.0.0.1");
  openSockets.add(socket);
  // A sender that is cut off may still be writing.
  socket.on("error", () => undefined);
  const requestReceived = once(server.server, "request");
  const method = path.endsWith("/photo") ? "PUT" : "POST";
  const lines = Object.entries({ host: "localhost", "content-length": "5000", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  let responseText = "";
  socket.on("data", (chunk) => (responseText += chunk));
  const response = once(socket, "close").then(() => responseText);
  await requestReceived;
  return { socket, response };
}

const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=x" };
const file =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nabc';

test("request bodies that never arrive don't delay other calls from the same address", async () => {
  const { token } = await t.addAccount();
  const signedIn = { authorization: `Bearer ${token}` };
  const slow = [];
  for (let n = 0; n < 10; n++) slow.push(await beginCall(t.server, "/api/auth/login", json));
  for (let n = 0; n < 10; n++)
    slow.push(await beginCall(t.server, "/api/me/photo", { ...form, ...signedIn }, file));
  const request = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${portOf(t.server)}${path}`, {
      ...options,
      headers: { ...signedIn, ...options.headers },
    });
  const responses = await Promise.all([
    ...Array.from({ length: 10 }, () => request("/api/site")),
    request("/api/me"),
    request("/api/me/update", { method: "PATCH", headers: json, body: '{"firstname":"Bo"}' }),
  ]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  // The server was still waiting for all of the slow bodies.
  expect(slow.filter(({ socket }) => socket.destroyed)).toEqual([]);
  for (const { socket } of slow) socket.destroy();
});

test("a slow sender is cut off with 408 TOO_SLOW at every endpoint, even an unknown one", async () => {
  const { token } = await t.addAccount();
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
    const { response } = await beginCall(strict, path, headers, body);
    const responseText = await response;
    expect([path, responseText.split("\r\n")[0], responseText.includes('"code":"TOO_SLOW"')]).toEqual([
      path,
      "HTTP/1.1 408 Request Timeout",
      true,
    ]);
  }
  // A call that is refused before its body is read isn't waited for either.
  const { response } = await beginCall(strict, "/api/jobs/create", json);
  expect((await response).split("\r\n")[0]).toBe("HTTP/1.1 401 Unauthorized");
});

test("a slow but steady body is read to its end; of too many unfinished bodies the slowest is cut off", async () => {
  const lenient = await createApi(t.app, undefined, { ...rules, graceMs: 600_000 });
  await lenient.listen({ host: "127.0.0.1", port: 0 });
  const slow = [];
  for (let n = 0; n < rules.perCaller; n++)
    slow.push(
      await beginCall(lenient, "/api/auth/login", { ...json, "content-length": "60", connection: "close" }),
    );
  const login = '{"email":"nobody@example.com","password":"x"}'.padEnd(60);
  for (const byte of login.slice(1)) {
    for (const { socket } of slow) socket.write(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const { response } of slow) {
    expect((await response).split("\r\n")[0]).toBe("HTTP/1.1 401 Unauthorized");
  }

  const unfinished = [];
  for (let n = 0; n <= rules.perCaller; n++)
    unfinished.push(await beginCall(lenient, "/api/auth/login", json));
  // One of them was cut off; the server still waits for the others.
  const responseText = await Promise.race(unfinished.map(({ response }) => response));
  expect(responseText).toContain(
    "4 requests from your address were still arriving, and this one was the slowest",
  );
  expect(unfinished.filter(({ socket }) => !socket.destroyed)).toHaveLength(rules.perCaller);
  for (const { socket } of unfinished) socket.destroy();
  await lenient.close();
});

test("a caller over the rate limit gets a response to each concurrent call, though bodies aren't read", async () => {
  const app = { ...t.app, config: { ...t.app.config, rateLimitPerMinute: 5 } };
  const limited = await createApi(app, undefined, { perCaller: 4 });
  await limited.listen({ host: "127.0.0.1", port: 0 });
  const attemptLogin = () =>
    fetch(`http://127.0.0.1:${portOf(limited)}/api/auth/login`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ email: "n@example.com", password: "x" }),
    }).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: 45 }, attemptLogin));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(40);
  await limited.close();
});

test("of large responses that nobody reads the oldest are cut off, and a stalled one in time", async () => {
  const size = 20_000_000;
  const openServer = async (transferRules: Parameters<typeof createApi>[2]) => {
    const server = await createApi(t.app, undefined, transferRules);
    server.get("/large", async () => Buffer.alloc(size, "x"));
    await server.listen({ host: "127.0.0.1", port: 0 });
    return server;
  };
  const server = await openServer({ unreadBytes: 3 * size });
  type Asked = Awaited<ReturnType<typeof askWithoutReading>>;
  const asked: Asked[] = [];
  for (let n = 0; n < 5; n++) asked.push(await askWithoutReading(server, "/large"));
  const isWhole = async ({ socket, sent }: Asked) => {
    const closed = once(socket, "close");
    socket.resume();
    await closed;
    return sent() > size;
  };
  expect(await Promise.all(asked.map(isWhole))).toEqual([false, false, true, true, true]);
  await server.close();

  const hasty = await openServer({ stalledMs: 100 });
  const stalled = await askWithoutReading(hasty, "/large");
  const [connection] = stalled.connections;
  if (connection && !connection.destroyed) await once(connection, "close");
  expect(await isWhole(stalled)).toBe(false);
  await hasty.close();
});

/** Sends a request, and reads nothing of the response until the socket is resumed. */
async function askWithoutReading(server: FastifyInstance, path: string) {
  const connections: Socket[] = [];
  server.server.once("connection", (connection: Socket) => connections.push(connection));
  const socket = connect(portOf(server), "127.0.0.1");
  openSockets.add(socket);
  socket.on("error", () => undefined);
  let bytes = 0;
  socket.on("data", (chunk) => (bytes += chunk.length)).pause();
  const answered = new Promise<void>((resolve) =>
    server.server.once("request", (_, response: ServerResponse) =>
      response.once("prefinish", () => resolve()),
    ),
  );
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  await answered;
  return { socket, sent: () => bytes, connections };
}
