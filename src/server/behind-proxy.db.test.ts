import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as ask, createServer, type IncomingMessage } from "node:http";
import { request as askTls } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emitEvents } from "#storage/events.ts";
import { startTestApp, type TestApp } from "./testing/test-app.ts";

const name = "watch.example.com";
let app: TestApp;
let port: number;

beforeAll(async () => {
  app = await startTestApp({
    BASE_URL: `https://${name}`,
    TRUSTED_PROXIES: "127.0.0.1",
    SIGN_UP_PER_HOUR: "1",
  });
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.server.address() as AddressInfo);
});
afterAll(() => app.close());

type Asked = { method?: string; path: string; body?: object | Buffer; headers?: Record<string, string> };
type Answer = { status: number; headers: IncomingMessage["headers"]; body: string };
type Ask = (asked: Asked, onChunk?: (text: string, end: () => void) => void) => Promise<Answer>;

function asker(send: typeof ask, at: object): Ask {
  return (asked, onChunk) =>
    new Promise((resolve, reject) => {
      const call = send({
        ...at,
        method: asked.method ?? "GET",
        path: asked.path,
        headers: {
          host: name,
          ...(asked.body && { "content-type": "application/json" }),
          ...(Buffer.isBuffer(asked.body) && { "content-length": asked.body.length }),
          ...asked.headers,
        },
      });
      call.on("error", reject);
      call.on("response", (response) => {
        let body = "";
        const end = () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
          call.destroy();
        };
        response.setEncoding("utf8");
        response.on("error", () => undefined);
        response.on("data", (chunk: string) => {
          body += chunk;
          onChunk?.(body, end);
        });
        response.on("end", end);
      });
      call.end(Buffer.isBuffer(asked.body) ? asked.body : asked.body && JSON.stringify(asked.body));
    });
}

/** Passes calls on as a careful proxy does; who its caller is, the caller says by a header of ours. */
async function startSmallProxy() {
  const server = createServer((from, to) => {
    const { "x-test-caller": caller = "198.51.100.1", ...headers } = from.headers;
    const on = ask(
      {
        host: "127.0.0.1",
        port,
        method: from.method,
        path: from.url,
        headers: {
          ...headers,
          "x-forwarded-for": String(caller),
          "x-forwarded-proto": "https",
          "x-forwarded-host": headers.host ?? "",
        },
      },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    on.on("error", () => to.destroy());
    to.on("close", () => on.destroy());
    from.pipe(on);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    ask: asker(ask, { host: "127.0.0.1", port: own }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A real nginx with the configuration that we ship: only ports, paths and the upstream are of this test. */
async function startNginx() {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-nginx-"));
  await chmod(folder, 0o755);
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port: own } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  const fixtures = join(import.meta.dirname, "../network/testing/fixtures");
  await writeFile(join(folder, "tls.pem"), await readFile(join(fixtures, "site.pem")));
  await writeFile(join(folder, "tls.key"), await readFile(join(fixtures, "site.key")));
  const shipped = await readFile(join(import.meta.dirname, "../../ops/nginx.conf"), "utf8");
  const adapted = shipped
    .replace(/resolver .*;|zone .*;/g, "")
    .replace("api:3000 resolve", `127.0.0.1:${port}`)
    .replace("listen 80;", `listen unix:${folder}/plain.sock;`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${own} ssl`)
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
  let said = "";
  child.stderr?.on("data", (chunk) => (said += chunk));
  const ended = once(child, "exit");
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const socket = connect(own, "127.0.0.1");
    const isUp = await Promise.race([once(socket, "connect"), once(socket, "error")]).then(
      () => !socket.destroyed && socket.readyState === "open",
      () => false,
    );
    socket.destroy();
    if (isUp) break;
    await sleep(25);
  }
  if (child.exitCode !== null) throw new Error(said);
  return {
    ask: asker(askTls, { host: "127.0.0.1", port: own, rejectUnauthorized: false, servername: name }),
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

  test("live events come as they happen, and the stream stays open", async () => {
    const { token } = await person();
    const me = await app.call("GET", "/api/me", undefined, { token });
    const accountId = String(me.body.id);
    let isReady = false;
    const answer = await proxy.ask(
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

  test("a session's cookie is Secure and its owner sees from where it was opened", async () => {
    const { email, password } = await person();
    const login = await proxy.ask({ method: "POST", path: "/api/auth/login", body: { email, password } });
    expect(login.status).toBe(200);
    const cookie = String(login.headers["set-cookie"]);
    expect(cookie).toMatch(/^session=.*; HttpOnly; Secure; SameSite=Strict/);
    expect(login.headers["strict-transport-security"]).toContain("max-age");
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    const { body } = await proxy.ask({ path: "/api/me/audit", headers });
    const [newest] = (JSON.parse(body) as { entries: { action: string; address: string }[] }).entries;
    expect(newest).toMatchObject({
      action: "signed-in",
      address: kind === "a small proxy" ? "198.51.100.1" : "127.0.0.1",
    });
  });

  test("what a visitor claims to be does not count", async () => {
    const { email, password } = await person();
    const lie = {
      "x-forwarded-for": "203.0.113.77",
      "x-real-ip": "203.0.113.77",
      forwarded: "for=203.0.113.77",
    };
    const login = await proxy.ask({
      method: "POST",
      path: "/api/auth/login",
      body: { email, password },
      headers: lie,
    });
    const headers = { cookie: String(login.headers["set-cookie"]).split(";")[0] ?? "" };
    const { body } = await proxy.ask({ path: "/api/me/audit", headers });
    expect(body).not.toContain("203.0.113.77");
  });

  test("an archive of some megabytes comes through", async () => {
    const { token } = await person();
    const form = new FormData();
    form.append("file", new Blob([Buffer.alloc(6_400_000, "a")], { type: "text/plain" }), "file");
    const made = new Response(form);
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": made.headers.get("content-type") ?? "",
    };
    const body = Buffer.from(await made.arrayBuffer());
    const answer = await proxy.ask({ method: "POST", path: "/api/import?dryRun=true", body, headers });
    expect(answer).toMatchObject({ status: 200 });
  });

  test("a call by another name is refused", async () => {
    const { status } = await proxy.ask({ path: "/api/site", headers: { host: "evil.example" } });
    // Both pass on what was asked for; the API refuses.
    expect([403, 421]).toContain(status);
  });
});

test("visitors behind one proxy are counted one by one", async () => {
  const proxy = await startSmallProxy();
  const signUp = (caller: string) =>
    proxy.ask({
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
/** Each from an address of its own: here one may sign up once an hour. */
async function person() {
  const email = `p${++number}@example.com`;
  const password = "correct1!";
  const ip = `203.0.113.${number}`;
  await app.call("POST", "/api/auth/register", { firstname: "A", surname: "B", email, password }, { ip });
  const link = /\/activate\/([\w-]+)/.exec((await app.mailTo(email)).text)?.[1];
  await app.call("GET", `/api/registration/activate/${link}`);
  const { body } = await app.call("POST", "/api/auth/login", { email, password }, { ip });
  return { email, password, token: String(body.token) };
}
