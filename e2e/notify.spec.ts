import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { startDiscordServer } from "../src/delivery/testing/discord-server.ts";
import { isSigned, startHookServer } from "../src/delivery/testing/hook-server.ts";
import { until } from "../src/delivery/testing/listen.ts";
import { startTelegramServer } from "../src/delivery/testing/telegram-server.ts";
import { test } from "./fixtures.ts";
import { linkIn, startMailServer } from "./mail-server.ts";
import { freePort, makeDataDir, type Product, removeDataDir, startProduct } from "./product.ts";
import { isLong } from "./size.ts";

test.setTimeout(240_000);

const chat = "4711";
let product: Product;
let outside: Awaited<ReturnType<typeof startOutside>>;
let env: Record<string, string>;
let compiled: string;

/** Everything the product talks to, on loopback, and a page that changes on command. */
async function startOutside() {
  const [telegram, discord, hook, mails] = await Promise.all([
    startTelegramServer(),
    startDiscordServer(),
    startHookServer(),
    startMailServer(),
  ]);
  const lines = Array.from({ length: 30 }, (_, i) => `Sentence ${i} of a page that is watched.`);
  const site = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>Shop</title><main>${lines.map((line) => `<p>${line}</p>`).join("")}</main>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  return {
    telegram,
    discord,
    hook,
    mails,
    lines,
    page: `http://127.0.0.1:${port}/`,
    async close() {
      site.closeAllConnections();
      site.close();
      await Promise.all([telegram.close(), discord.close(), hook.close(), mails.close()]);
    },
  };
}

test.beforeAll(async () => {
  test.setTimeout(180_000);
  outside = await startOutside();
  compiled = await makeDataDir();
  env = {
    NODE_COMPILE_CACHE: compiled,
    PORT: String(await freePort()),
    EGRESS_ALLOW: "127.0.0.0/8",
    SMTP_URL: outside.mails.url,
    TELEGRAM_BOT_TOKEN: outside.telegram.token,
    TELEGRAM_API_ROOT: outside.telegram.url,
  };
  product = await startProduct(env);
});
test.afterAll(async () => {
  await product.stop();
  await outside.close();
  await removeDataDir(product.dataDir);
  await removeDataDir(compiled);
});

type Json = Record<string, unknown>;

async function callAs(token: string, method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await fetch(new URL(path, product.url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Json;
  expect([path, answer.status < 300, json.message]).toEqual([path, true, json.message]);
  return json;
}

/** A person on the Ultimate plan with every channel set up. */
async function signUp(email: string) {
  const person = { firstname: "Ana", surname: "Kos", email, password: "correct1!" };
  await callAs("", "POST", "/api/auth/register", person).catch(() => undefined);
  const link = linkIn(await outside.mails.read(email, "Activate your Watchglass account"));
  await fetch(new URL(`/api/registration/activate/${link.split("/").at(-1)}`, product.url));
  const login = await fetch(new URL("/api/auth/login", product.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: person.password }),
  });
  const { token } = (await login.json()) as { token: string };
  const call = (method: string, path: string, body?: unknown) => callAs(token, method, path, body);
  const payment = await call("GET", "/api/payment/prepare/ultimate");
  await call("POST", "/api/payment/sandbox/complete", { token: payment.token });
  await until("the plan", async () => (await call("GET", "/api/me")).planId === "ultimate");
  const me = await call("GET", "/api/me");
  const [bot] = me.UserBotToken as { telegramPrivateToken: string }[];
  await outside.telegram.say(chat, `/addtoken ${bot?.telegramPrivateToken}`);
  await outside.telegram.message(chat);
  await call("PUT", "/api/me/channels/discord", { url: outside.discord.webhook });
  const { secret } = await call("POST", "/api/me/signing-secret");
  return { call, secret: String(secret) };
}

test("a change reaches all channels; kill -9 before delivery loses none and repeats none", async () => {
  const email = "ana@example.com";
  const { call, secret } = await signUp(email);
  const group = await call("POST", "/api/jobs/groups", { name: "Shops" });
  const { job } = await call("POST", "/api/jobs/create", {
    name: "Shop",
    url: outside.page,
    frequency: 60,
    groupId: group.id,
    trigger: { url: `${outside.hook.url}/hook`, method: "POST", body: '{"summary": "{{summary}}"}' },
  });
  const jobId = (job as { id: string }).id;
  const executions = async () =>
    (await call("GET", `/api/jobs/${jobId}/executions`)).executions as { id: string; changed: boolean }[];
  await until("the first capture", async () => (await executions()).length === 1, 90);

  const changed = async (line: string) => {
    outside.lines.push(line);
    const before = (await executions()).length;
    await call("POST", `/api/jobs/${jobId}/run`);
    const [newest] = await until(
      "the capture",
      async () => {
        const list = await executions();
        return list.length > before && list;
      },
      90,
    );
    expect(newest?.changed).toBe(true);
    return newest?.id ?? "";
  };
  const alerts = () => outside.telegram.sentTo(chat).filter(({ method }) => method === "sendPhoto");
  const mails = () => outside.mails.mails.filter(({ subject }) => subject?.startsWith("Shop: "));
  const detail = async (id: string) =>
    (await call("GET", `/api/jobs/${jobId}/executions/${id}`)) as unknown as {
      deliveries: { channel: string; state: string }[];
      triggerRuns: { state: string; attempts: number }[];
    };
  const settled = (id: string) =>
    until(
      "all deliveries",
      async () => {
        const { deliveries, triggerRuns } = await detail(id);
        const isOver = [...deliveries, ...triggerRuns].every(({ state }) => state === "sent");
        return deliveries.length === 3 && triggerRuns.length === 1 && isOver;
      },
      90,
    );

  // In the long run the hook fails twice: the third attempt succeeds and there is no fourth. Otherwise that is left to
  // src/alerts/run-trigger.db.test.ts, which doesn't wait for the seconds between attempts.
  if (isLong) outside.hook.next.push({ status: 500 }, { status: 503 });
  const first = await changed("A new line about the price of glass.");
  await settled(first);
  const attempts = isLong ? ["1", "2", "3"] : ["1"];
  expect(outside.hook.received.map(({ headers }) => headers["x-watchglass-attempt"])).toEqual(attempts);
  expect(new Set(outside.hook.received.map(({ headers }) => headers["x-watchglass-event"])).size).toBe(1);
  for (const request of outside.hook.received) expect(isSigned(request, secret)).toBe(true);
  expect([alerts().length, outside.discord.messages.length, mails().length]).toEqual([1, 1, 1]);
  expect(alerts()[0]?.text).toContain("+ A new line about the price of glass.");
  expect(mails()[0]?.attachments).toHaveLength(1);

  // Nothing gets out: the change is recorded, the process is killed, and the next process sends what is due.
  outside.telegram.state.down = true;
  outside.discord.state.down = true;
  outside.hook.next.push("hang");
  const second = await changed("Another new line, seen just before the end.");
  await until("the hook's request", () => outside.hook.received.length === attempts.length + 1);
  await product.kill();
  outside.telegram.state.down = false;
  outside.discord.state.down = false;
  product = await startProduct({
    ...env,
    DATA_DIR: product.dataDir,
    NODE_DEBUG_NATIVE: "COMPILE_CACHE",
  });
  // The engine thread finds what the killed process compiled.
  expect(product.output()).toMatch(
    /transpile cache for StrippedTypeScript \S+engine-thread\.ts\.\.\.success/,
  );
  await settled(second);
  expect([alerts().length, outside.discord.messages.length, mails().length]).toEqual([2, 2, 2]);
  const events = outside.hook.received
    .slice(attempts.length)
    .map(({ headers }) => headers["x-watchglass-event"]);
  expect([events.length, new Set(events).size]).toEqual([2, 1]);

  // Telegram stays down through all five attempts: a mail says that it fails. src/alerts/announce.db.test.ts shows the
  // same without the half minute between the attempts.
  if (!isLong) return;
  outside.telegram.state.down = true;
  const third = await changed("A third new line, which Telegram never gets.");
  await outside.mails.read(
    email,
    "Alerts by Telegram fail: Telegram could not be reached. It will be tried again with the next alert.",
    120,
  );
  expect((await detail(third)).deliveries.map(({ channel, state }) => [channel, state])).toEqual([
    ["telegram", "failed"],
    ["discord", "sent"],
    ["email", "sent"],
  ]);
});
