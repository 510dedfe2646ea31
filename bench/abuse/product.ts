import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { productFlags } from "../product-flags.ts";

/** `ms` is the time until it begins: what streams says from then on how far it is. */
export type Answer = { status: number; ms: number; bytes: number; body: Record<string, never> };
export type Caller = {
  call(method: string, path: string, body?: unknown, isRead?: boolean): Promise<Answer>;
  /** An answer that has no end, a live stream; `hear` has what it says. Answers how to leave it. */
  open(path: string, hear?: (said: string) => void): Promise<() => void>;
  email: string;
  password: string;
  token: string;
};

/** The product in a process of its own; callers come by a proxy, each from an address of its own. */
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
    /** An attacker has no use for what it asks for, and reading it here would be taken for a slow answer. */
    isRead = true,
  ): Promise<Answer> {
    const isBytes = body instanceof Buffer;
    const asked = performance.now();
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
    const ms = performance.now() - asked;
    if (!isRead) {
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      return { status: answer.statusCode, ms, bytes: 0, body: {} };
    }
    const text = await answer.body.text();
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    const read = isJson ? JSON.parse(text) : {};
    return { status: answer.statusCode, ms, bytes: Buffer.byteLength(text), body: read };
  }

  let people = 0;
  /** Somebody on the largest plan, signed in. */
  async function person(): Promise<Caller> {
    people++;
    const from = `203.0.113.${people}`;
    const [email, password] = [`person-${people}@example.com`, "correct1!"];
    await ask(from, "", "POST", "/api/auth/register", { firstname: "A", surname: "B", email, password });
    const link = await mailed(email);
    await ask(from, "", "GET", `/api/registration/activate/${link}`);
    const { body } = await ask(from, "", "POST", "/api/auth/login", { email, password });
    const token = String(body.token);
    const prepared = await ask(from, token, "GET", "/api/payment/prepare/ultimate");
    await ask(from, token, "POST", "/api/payment/sandbox/complete", { token: prepared.body.token });
    return {
      email,
      password,
      token,
      call: (method, path, given, isRead) => ask(from, token, method, path, given, isRead),
      async open(path, hear = () => {}) {
        const gone = new AbortController();
        const headers = { "x-forwarded-for": from, authorization: `Bearer ${token}` };
        const answer = await request(origin + path, { dispatcher: agent, headers, signal: gone.signal });
        answer.body
          .setEncoding("utf8")
          .on("error", () => {})
          .on("data", hear);
        return () => gone.abort();
      },
    };
  }

  async function mailed(email: string): Promise<string> {
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

  return {
    origin,
    ask,
    person,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await agent.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
