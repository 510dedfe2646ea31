import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emitEvents } from "#live-events/events.ts";
import { startTestApp, type TestApp } from "./testing/test-app.ts";

const hostName = "watch.example.com";
let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await startTestApp({
    BASE_URL: `https://${hostName}`,
    TRUSTED_PROXIES: "127.0.0.1",
    SIGN_UP_PER_HOUR: "1",
  });
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.server.address() as AddressInfo);
});
afterAll(() => app.close());

type CallOptions = {
  method?: string;
  path: string;
  body?: object | Buffer;
  headers?: Record<string, string>;
};
type CallResult = { status: number; headers: IncomingMessage["headers"]; body: string };
type SendCall = (
  options: CallOptions,
  onChunk?: (text: string, end: () => void) => void,
) => Promise<CallResult>;

function createCaller(send: typeof httpRequest, target: object): SendCall {
  return (options, onChunk) =>
    new Promise((resolve, reject) => {
      const request = send({
        ...target,
        method: options.method ?? "GET",
        path: options.path,
        headers: {
          host: hostName,
          ...(options.body && { "content-type": "application/json" }),
          ...(Buffer.isBuffer(options.body) && { "content-length": options.body.length }),
          ...options.headers,
        },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        let body = "";
        const end = () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
          request.destroy();
        };
        response.setEncoding("utf8");
        response.on("error", () => undefined);
        response.on("data", (chunk: string) => {
          body += chunk;
          onChunk?.(body, end);
        });
        response.on("end", end);
      });
      request.end(
        Buffer.isBuffer(options.body) ? options.body : options.body && JSON.stringify(options.body),
      );
    });
}

/** Forwards calls as a careful proxy does. A test sets the caller's address in the header `x-test-caller`. */
async function startSmallProxy() {
  const server = createServer((incoming, outgoing) => {
    const { "x-test-caller": caller = "198.51.100.1", ...headers } = incoming.headers;
    const upstream = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...headers,
          "x-forwarded-for": String(caller),
          "x-forwarded-proto": "https",
          "x-forwarded-host": headers.host ?? "",
        },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: proxyPort } = server.address() as AddressInfo;
  return {
    call: createCaller(httpRequest, { host: "127.0.0.1", port: proxyPort }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A real nginx with the configuration that we ship; only ports, paths and the upstream are changed. */
async function startNginx() {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-nginx-"));
  await chmod(folder, 0o755);
  const portProbe = createServer().listen(0, "127.0.0.1");
  await once(portProbe, "listening");
  const { port: proxyPort } = portProbe.address() as AddressInfo;
  await new Promise((done) => portProbe.close(done));
  const fixtures = join(import.meta.dirname, "../network/testing/fixtures");
  await writeFile(join(folder, "tls.pem"), await readFile(join(fixtures, "site.pem")));
  await writeFile(join(folder, "tls.key"), await readFile(join(fixtures, "site.key")));
  const shipped = await readFile(join(import.meta.dirname, "../../ops/nginx.conf"), "utf8");
  const adapted = shipped
    .replace(/resolver .*;/, "")
    .replace("api:3000", `127.0.0.1:${port}`)
    .replace("listen 80;", `listen unix:${folder}/plain.sock;`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${proxyPort} ssl`)
    .replace("/etc/nginx/tls/fullchain.pem", `${folder}/tls.pem`)
    .replace("/etc/nginx/tls/privkey.pem", `${folder}/tls.key`);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const file = join(folder, "nginx.conf");
  await writeFile(
    file,
    `pid ${folder}/pid; error_log stderr warn; daemon off; worker_processes 1;
     events {} http { access_log off; ${paths.join(" ")} ${adapted} }`,
  );
  const child: ChildProcess = spawn("nginx", ["-c", file, "-p", folder], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errorOutput = "";
  child.stderr?.on("data", (chunk) => (errorOutput += chunk));
  const ended = once(child, "exit");
  const end = performance.now() + 60_000;
  while (performance.now() < end && child.exitCode === null) {
    const socket = connect(proxyPort, "127.0.0.1");
    const isUp = await Promise.race([once(socket, "connect"), once(socket, "error")]).then(
      () => !socket.destroyed && socket.readyState === "open",
      () => false,
    );
    socket.destroy();
    if (isUp) break;
    await sleep(25);
  }
  if (child.exitCode !== null) throw new Error(errorOutput);
  return {
    call: createCaller(httpsRequest, {
      host: "127.0.0.1",
      port: proxyPort,
      rejectUnauthorized: false,
      servername: hostName,
    }),
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const kinds = [
  ["a small proxy", startSmallProxy],
  ...(hasNginx ? [["nginx with the configuration that we ship", startNginx] as const] : []),
] as const;

describe.each(kinds)("behind %s", (kind, start) => {
  let proxy: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    proxy = await start();
  });
  afterAll(() => proxy.close());

  test("live events arrive as they happen, and the stream stays open", async () => {
    const { token } = await newPerson();
    const me = await app.call("GET", "/api/me", undefined, { token });
    const accountId = String(me.body.id);
    let isReady = false;
    const answer = await proxy.call(
      { path: "/api/events", headers: { authorization: `Bearer ${token}` } },
      (text, end) => {
        if (!isReady && text.includes('"kind":"ready"')) {
          isReady = true;
          void emitEvents(app.app.db, accountId, [{ kind: "started", jobId: accountId }]);
        }
        if (text.includes('"kind":"started"')) end();
      },
    );
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
    expect(answer.body).toContain("retry: 2000");
  });

  test("the session cookie is Secure, and the audit trail shows the address of the sign-in", async () => {
    const { email, password } = await newPerson();
    const login = await proxy.call({ method: "POST", path: "/api/auth/login", body: { email, password } });
    expect(login.status).toBe(200);
    const cookie = String(login.headers["set-cookie"]);
    expect(cookie).toMatch(/^session=.*; HttpOnly; Secure; SameSite=Strict/);
    expect(login.headers["strict-transport-security"]).toContain("max-age");
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    const { body } = await proxy.call({ path: "/api/me/audit", headers });
    const [newest] = (JSON.parse(body) as { entries: { action: string; address: string }[] }).entries;
    expect(newest).toMatchObject({
      action: "signed-in",
      address: kind === "a small proxy" ? "198.51.100.1" : "127.0.0.1",
    });
  });

  test("an address that a visitor claims in forwarding headers isn't recorded", async () => {
    const { email, password } = await newPerson();
    const spoofedHeaders = {
      "x-forwarded-for": "203.0.113.77",
      "x-real-ip": "203.0.113.77",
      forwarded: "for=203.0.113.77",
    };
    const login = await proxy.call({
      method: "POST",
      path: "/api/auth/login",
      body: { email, password },
      headers: spoofedHeaders,
    });
    const headers = { cookie: String(login.headers["set-cookie"]).split(";")[0] ?? "" };
    const { body } = await proxy.call({ path: "/api/me/audit", headers });
    expect(body).not.toContain("203.0.113.77");
  });

  test("an import file of several megabytes is accepted", async () => {
    const { token } = await newPerson();
    const form = new FormData();
    form.append("file", new Blob([Buffer.alloc(6_400_000, "a")], { type: "text/plain" }), "file");
    const encodedForm = new Response(form);
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": encodedForm.headers.get("content-type") ?? "",
    };
    const body = Buffer.from(await encodedForm.arrayBuffer());
    const answer = await proxy.call({ method: "POST", path: "/api/import?dryRun=true", body, headers });
    expect(answer).toMatchObject({ status: 200 });
  });

  test("a call with another host name is refused", async () => {
    const { status } = await proxy.call({ path: "/api/site", headers: { host: "evil.example" } });
    // Both proxies pass on the requested host name; the API refuses it.
    expect([403, 421]).toContain(status);
  });
});

test("the sign-up limit counts visitors behind one proxy separately", async () => {
  const proxy = await startSmallProxy();
  const signUp = (caller: string) =>
    proxy.call({
      method: "POST",
      path: "/api/auth/register",
      headers: { "x-test-caller": caller },
      body: { firstname: "A", surname: "B", email: `${caller}@example.com`, password: "correct1!" },
    });
  expect((await signUp("198.51.100.7")).status).toBe(200);
  expect((await signUp("198.51.100.8")).status).toBe(200);
  expect((await signUp("198.51.100.7")).status).toBe(429);
  await proxy.close();
});

let number = 0;
/** Signs up a person from a new address, because an address may sign up only once an hour here. */
async function newPerson() {
  const email = `p${++number}@example.com`;
  const password = "correct1!";
  const ip = `203.0.113.${number}`;
  await app.call("POST", "/api/auth/register", { firstname: "A", surname: "B", email, password }, { ip });
  const activationToken = /\/activate\/([\w-]+)/.exec((await app.mailTo(email)).text)?.[1];
  await app.call("GET", `/api/registration/activate/${activationToken}`);
  const { body } = await app.call("POST", "/api/auth/login", { email, password }, { ip });
  return { email, password, token: String(body.token) };
}
