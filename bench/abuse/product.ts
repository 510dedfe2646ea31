import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Agent, request } from "undici";
import { findRunningPostgres } from "#storage/embedded-postgres.ts";
import { productFlags } from "../product-flags.ts";

/** `ms` is the time until the response begins: from then on a streamed response reports its own progress. */
export type Answer = { status: number; ms: number; bytes: number; body: Record<string, never> };
export type Caller = {
  call(method: string, path: string, body?: unknown, isRead?: boolean): Promise<Answer>;
  /** Opens a response without an end, a live stream; `onData` gets each chunk. Returns a function that closes it. */
  open(path: string, onData?: (chunk: string) => void): Promise<() => void>;
  email: string;
  password: string;
  token: string;
};

/** Starts the product in its own process; callers come through a proxy, each from its own address. */
export async function startProduct(environment: Record<string, string> = {}) {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const dataDir = await mkdtemp(join(tmpdir(), "watchglass-abuse-"));
  await chmod(dataDir, 0o711);
  const child = spawn(process.execPath, [...productFlags, "src/server/main.ts"], {
    env: {
      PATH: process.env.PATH,
      CHROMIUM_PATH: process.env.CHROMIUM_PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      EGRESS_ALLOW: "127.0.0.0/8",
      TRUSTED_PROXIES: "127.0.0.1",
      SIGN_UP_PER_HOUR: "1000",
      CAPTURE_CONCURRENCY: "2",
      LOG_LEVEL: "error",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of child.stdout) if (String(chunk).includes("Watchglass is at")) break;
  const agent = new Agent({ connections: 400, bodyTimeout: 120_000, headersTimeout: 120_000 });
  const origin = `http://127.0.0.1:${port}`;

  async function ask(
    from: string | null,
    token: string,
    method: string,
    path: string,
    body?: unknown,
    /** An attacker has no use for the response, and reading it here would count as a slow response. */
    isRead = true,
  ): Promise<Answer> {
    const isBytes = body instanceof Buffer;
    const started = performance.now();
    const answer = await request(origin + path, {
      dispatcher: agent,
      method: method as "GET",
      headers: {
        ...(from ? { "x-forwarded-for": from } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined
          ? {}
          : { "content-type": isBytes ? "multipart/form-data; boundary=x" : "application/json" }),
      },
      ...(body === undefined
        ? {}
        : { body: isBytes || typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const ms = performance.now() - started;
    if (!isRead) {
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      return { status: answer.statusCode, ms, bytes: 0, body: {} };
    }
    const text = await answer.body.text();
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const parsed = isJson ? JSON.parse(text) : {};
    return { status: answer.statusCode, ms, bytes: Buffer.byteLength(text), body: parsed };
  }

  let personCount = 0;
  /** A signed-in account on the largest plan. */
  async function person(): Promise<Caller> {
    personCount++;
    const from = `203.0.113.${personCount}`;
    const [email, password] = [`person-${personCount}@example.com`, "correct1!"];
    await ask(from, "", "POST", "/api/auth/register", { firstname: "A", surname: "B", email, password });
    const activationToken = await waitForActivationToken(email);
    await ask(from, "", "GET", `/api/registration/activate/${activationToken}`);
    const { body } = await ask(from, "", "POST", "/api/auth/login", { email, password });
    const token = String(body.token);
    const prepared = await ask(from, token, "GET", "/api/payment/prepare/ultimate");
    await ask(from, token, "POST", "/api/payment/sandbox/complete", { token: prepared.body.token });
    return {
      email,
      password,
      token,
      call: (method, path, payload, isRead) => ask(from, token, method, path, payload, isRead),
      async open(path, onData = () => {}) {
        const controller = new AbortController();
        const headers = { "x-forwarded-for": from, authorization: `Bearer ${token}` };
        const answer = await request(origin + path, {
          dispatcher: agent,
          headers,
          signal: controller.signal,
        });
        answer.body
          .setEncoding("utf8")
          .on("error", () => {})
          .on("data", onData);
        return () => controller.abort();
      },
    };
  }

  async function waitForActivationToken(email: string): Promise<string> {
    for (;;) {
      const { body } = await ask(null, "", "GET", "/api/mailbox");
      const mails = body.mails as unknown as { id: string; to: string }[];
      const mail = mails.find(({ to }) => to === email);
      if (mail) {
        const { text } = (await ask(null, "", "GET", `/api/mailbox/${mail.id}`)).body as { text?: string };
        const token = /activate\/([\w-]+)/.exec(text ?? "")?.[1];
        if (token) return token;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Hourly limits would end a walk after a few calls: here they count nothing. */
  async function removeHourlyLimits(): Promise<void> {
    const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) });
    await client.connect();
    await client.query(`
      create function forget_uses() returns trigger language plpgsql as
        $$ begin new.used := 0; return new; end $$;
      create trigger forget_uses before insert or update on rate_limits
        for each row execute function forget_uses()`);
    await client.end();
  }

  return {
    origin,
    pid: child.pid ?? 0,
    removeHourlyLimits,
    ask,
    person,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await agent.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
