import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { startDiscordServer } from "../src/channels/testing/discord-server.ts";
import { hasValidSignature, startHookServer } from "../src/channels/testing/hook-server.ts";
import { until } from "../src/channels/testing/listen.ts";
import { startTelegramServer } from "../src/channels/testing/telegram-server.ts";
import { test } from "./fixtures.ts";
import { linkIn, startMailServer } from "./mail-server.ts";
import {
  descendants,
  failToStart,
  freePort,
  makeDataDir,
  type OwnProduct,
  removeDataDir,
  startProduct,
} from "./product.ts";
import { isLong } from "./size.ts";
import { activationSubject, mailOf, password, signIn } from "./web/visitor.ts";

// Each test continues with the product of the previous one.
test.describe.configure({ mode: "serial", timeout: 240_000 });

const chat = "4711";
let product: OwnProduct;
let services: Awaited<ReturnType<typeof startServices>>;
let env: Record<string, string>;
let compileCache: string;
const paddleSecret = "pdl_ntfset_e2e";
let paddle: Server;

/** Starts all services that the product talks to, on loopback, and a page that changes on command. */
async function startServices() {
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
  services = await startServices();
  const prices = {
    data: [{ id: "pri_pro", unit_price: {}, quantity: {}, custom_data: { plan: "professional" } }],
    meta: { pagination: { has_more: false, next: "" } },
  };
  paddle = createServer((_, response) => response.end(JSON.stringify(prices))).listen(0, "127.0.0.1");
  await once(paddle, "listening");
  compileCache = await makeDataDir();
  env = {
    NODE_COMPILE_CACHE: compileCache,
    PORT: String(await freePort()),
    EGRESS_ALLOW: "127.0.0.0/8",
    SMTP_URL: services.mails.url,
    TELEGRAM_BOT_TOKEN: services.telegram.token,
    TELEGRAM_API_ROOT: services.telegram.url,
  };
  product = await startProduct(env);
  expect(product.output()).toContain("\n  Plans are sold    by the sandbox: plans cost nothing\n");
});
test.afterAll(async () => {
  await product.stop();
  await services.close();
  paddle.closeAllConnections();
  paddle.close();
  await removeDataDir(product.dataDir);
  await removeDataDir(compileCache);
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

/** Makes an account by the API and its mail. */
async function makeAccount(email: string): Promise<void> {
  const person = { firstname: "Ana", surname: "Martins", email, password };
  await callAs("", "POST", "/api/auth/register", person).catch(() => undefined);
  const link = linkIn(await services.mails.read(email, activationSubject));
  await fetch(new URL(`/api/registration/activate/${link.split("/").at(-1)}`, product.url));
}

/** Signs up a user on the Ultimate plan with every channel set up. */
async function signUp(email: string) {
  await makeAccount(email);
  const login = await fetch(new URL("/api/auth/login", product.url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await login.json()) as { token: string };
  const call = (method: string, path: string, body?: unknown) => callAs(token, method, path, body);
  const payment = await call("GET", "/api/payment/prepare/ultimate");
  await call("POST", "/api/payment/sandbox/complete", { token: payment.token });
  await until("the plan", async () => (await call("GET", "/api/me")).planId === "ultimate");
  const me = await call("GET", "/api/me");
  const [bot] = me.UserBotToken as { telegramPrivateToken: string }[];
  await services.telegram.say(chat, `/addtoken ${bot?.telegramPrivateToken}`);
  await services.telegram.message(chat);
  await call("PUT", "/api/me/channels/discord", { url: services.discord.webhook });
  const { secret } = await call("POST", "/api/me/signing-secret");
  return { call, secret: String(secret) };
}

test("a change is sent to all channels; kill -9 before delivery neither loses nor repeats an alert", async () => {
  const email = "ana@example.com";
  const { call, secret } = await signUp(email);
  const group = await call("POST", "/api/jobs/groups", { name: "Shops" });
  const { job } = await call("POST", "/api/jobs/create", {
    name: "Shop",
    url: services.page,
    frequency: 60,
    groupId: group.id,
    trigger: { url: `${services.hook.url}/hook`, method: "POST", body: '{"summary": "{{summary}}"}' },
  });
  const jobId = (job as { id: string }).id;
  const executions = async () =>
    (await call("GET", `/api/jobs/${jobId}/executions`)).executions as { id: string; changed: boolean }[];
  await until("the first capture", async () => (await executions()).length === 1);

  const makeChange = async (line: string) => {
    services.lines.push(line);
    const countBefore = (await executions()).length;
    await call("POST", `/api/jobs/${jobId}/run`);
    const [newest] = await until("the capture", async () => {
      const list = await executions();
      return list.length > countBefore && list;
    });
    expect(newest?.changed).toBe(true);
    return newest?.id ?? "";
  };
  const alerts = () => services.telegram.sentTo(chat).filter(({ method }) => method === "sendPhoto");
  const mails = () => services.mails.mails.filter(({ subject }) => subject?.startsWith("Shop: "));
  const readExecution = async (id: string) =>
    (await call("GET", `/api/jobs/${jobId}/executions/${id}`)) as unknown as {
      deliveries: { channel: string; state: string }[];
      triggerRuns: { state: string; attempts: number }[];
    };
  const waitForDeliveries = (id: string) =>
    until("all deliveries", async () => {
      const { deliveries, triggerRuns } = await readExecution(id);
      const areAllSent = [...deliveries, ...triggerRuns].every(({ state }) => state === "sent");
      return deliveries.length === 3 && triggerRuns.length === 1 && areAllSent;
    });

  // With TEST_SIZE=long the hook fails twice: the third attempt succeeds and there is no fourth. Otherwise that is left
  // to src/triggers/run-trigger.db.test.ts, which doesn't wait for the seconds between attempts.
  if (isLong) services.hook.next.push({ status: 500 }, { status: 503 });
  const first = await makeChange("A new line about the price of glass.");
  await waitForDeliveries(first);
  const attempts = isLong ? ["1", "2", "3"] : ["1"];
  expect(services.hook.received.map(({ headers }) => headers["x-watchglass-attempt"])).toEqual(attempts);
  expect(new Set(services.hook.received.map(({ headers }) => headers["x-watchglass-event"])).size).toBe(1);
  for (const request of services.hook.received) expect(hasValidSignature(request, secret)).toBe(true);
  expect([alerts().length, services.discord.messages.length, mails().length]).toEqual([1, 1, 1]);
  expect(alerts()[0]?.text).toContain("+ A new line about the price of glass.");
  expect(mails()[0]?.attachments).toHaveLength(1);

  // No delivery succeeds: the change is recorded, the process is killed, and the next process sends what is due.
  services.telegram.state.down = true;
  services.discord.state.down = true;
  services.hook.next.push("hang");
  const second = await makeChange("Another new line, seen just before the end.");
  await until("the hook's request", () => services.hook.received.length === attempts.length + 1);
  await product.kill();
  services.telegram.state.down = false;
  services.discord.state.down = false;
  product = await startProduct({
    ...env,
    DATA_DIR: product.dataDir,
    // The tests after this one are about this product, which sells plans by Paddle.
    PADDLE_API_KEY: "key",
    PADDLE_CLIENT_TOKEN: "test_client",
    PADDLE_WEBHOOK_SECRET: paddleSecret,
    PADDLE_ENVIRONMENT: `http://127.0.0.1:${(paddle.address() as AddressInfo).port}`,
    NODE_DEBUG_NATIVE: "COMPILE_CACHE",
  });
  // The engine thread finds what the killed process compiled.
  expect(product.output()).toMatch(
    /transpile cache for StrippedTypeScript \S+engine-thread\.ts\.\.\.success/,
  );
  await waitForDeliveries(second);
  expect([alerts().length, services.discord.messages.length, mails().length]).toEqual([2, 2, 2]);
  const events = services.hook.received
    .slice(attempts.length)
    .map(({ headers }) => headers["x-watchglass-event"]);
  expect([events.length, new Set(events).size]).toEqual([2, 1]);

  // Telegram is down at all five attempts, so a mail reports the failure. src/alerts/announce.db.test.ts tests the same
  // without the half minute between the attempts.
  if (!isLong) return;
  services.telegram.state.down = true;
  const third = await makeChange("A third new line, which Telegram never gets.");
  await services.mails.read(
    email,
    "Alerts by Telegram are failing: We couldn’t reach Telegram. We’ll try again with the next alert.",
  );
  expect((await readExecution(third)).deliveries.map(({ channel, state }) => [channel, state])).toEqual([
    ["telegram", "failed"],
    ["discord", "sent"],
    ["email", "sent"],
  ]);
});

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

test("Paddle's overlay opens with price, email and token, and Paddle's events activate the plan", async ({
  page,
  request,
}) => {
  // Replaces Paddle's script, which the page's content security policy must allow.
  const script = `window.PaddleBillingV1 = {
    Initialized: false,
    Environment: { set(environment) { window.seen = { environment }; } },
    Initialize(options) { this.Initialized = true; Object.assign(window.seen, options); },
    Checkout: { open(order) { window.seen.order = order; } },
  };`;
  await page.route("https://cdn.paddle.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", body: script }),
  );
  const email = mailOf("paddle");
  await makeAccount(email);
  await signIn(page, product, email, "?view=billing");
  const card = page.getByRole("article", { name: "Professional" });
  const upgrade = card.getByRole("button", { name: "Upgrade" });
  await expect(upgrade).toBeVisible();
  // The usage above the plans loads separately; until then a click could miss.
  await expect(page.getByRole("meter", { name: "Jobs" })).toBeVisible();
  await expect(page.getByText("Sandbox checkout.")).toHaveCount(0);
  await upgrade.click();
  type Seen = { environment: string; token: string; order: { customData: { token: string } } };
  const seen = () => page.evaluate<Seen>("JSON.parse(JSON.stringify(window.seen ?? {}))");
  // An error, if any, is in the message box.
  const box = page.getByRole("alertdialog");
  await expect
    .poll(async () => (await seen()).order ?? (await box.allInnerTexts()))
    .toEqual({
      items: [{ priceId: "pri_pro", quantity: 1 }],
      customData: { token: expect.stringMatching(/^[\w-]{43}$/) },
      customer: { email },
      settings: { displayMode: "overlay" },
    });
  const { environment, token, order } = await seen();
  expect({ environment, token }).toEqual({ environment: "sandbox", token: "test_client" });

  const body = JSON.stringify({
    event_id: "evt_1",
    event_type: "subscription.created",
    occurred_at: new Date().toISOString(),
    data: {
      id: "sub_1",
      status: "active",
      current_billing_period: { ends_at: "2099-01-01T00:00:00Z" },
      items: [{ price: { custom_data: { plan: "professional" } } }],
      custom_data: order.customData,
    },
  });
  const seconds = Math.floor(Date.now() / 1000);
  const h1 = createHmac("sha256", paddleSecret).update(`${seconds}:${body}`).digest("hex");
  const headers = { "content-type": "application/json", "paddle-signature": `ts=${seconds};h1=${h1}` };
  const answer = await request.post(`${product.url}/api/payment/webhook`, { data: body, headers });
  expect(answer.status()).toBe(200);
  await page.evaluate(
    "for (const name of ['checkout.completed', 'checkout.closed']) seen.eventCallback({ name })",
  );
  await page.waitForURL(`${product.url}/dashboard`);
  await expect(page.getByText("Ana Martins").locator("..")).toContainText("Professional");
});

test("the product prints its URL, protects its secrets and DATA_DIR, and stops everything it started", async () => {
  expect(product.output()).toMatch(
    /\n {2}Watchglass is at {2}http:\/\/localhost:\d+\n {2}Mails are at {6}sent by SMTP_URL\n {2}Plans are sold {4}by Paddle\n {2}Stop it with {6}Ctrl\+C\n/,
  );
  for (const name of ["session-secret", "data-key"])
    expect((await stat(join(product.dataDir, name))).mode & 0o777, name).toBe(0o600);
  const secondStart = await failToStart({ DATA_DIR: product.dataDir, PORT: String(await freePort()) });
  expect([secondStart.code, secondStart.output]).toEqual([
    1,
    `DATA_DIR ${product.dataDir} is in use by another Watchglass; stop it or set DATA_DIR.\n`,
  ]);
  expect((await fetch(new URL("/readyz", product.url))).status).toBe(200);
  // This is the process itself, not a shell around it, with the variables that must be set before it starts.
  expect(readFileSync(`/proc/${product.process.pid}/environ`, "utf8")).toContain("MALLOC_MMAP_THRESHOLD_=");
  const startedPids = await descendants(product.process.pid ?? 0);
  expect(startedPids.length).toBeGreaterThan(0);
  expect(await product.stop()).toBe(0);
  // The system's init process reaps the browser's orphans at some later time.
  await expect.poll(() => startedPids.filter(isRunning)).toEqual([]);
});

test("with a taken PORT the start prints one sentence, exits with 1 and leaves nothing running", async () => {
  await product.stop();
  const { dataDir } = product;
  const portHolder = createTcpServer();
  await new Promise<void>((resolve) => portHolder.listen(0, "127.0.0.1", resolve));
  const { port } = portHolder.address() as AddressInfo;
  const { code, output } = await failToStart({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" });
  expect([code, output]).toEqual([1, `PORT ${port} is taken; set PORT to another.\n`]);
  await new Promise((resolve) => portHolder.close(resolve));
});
