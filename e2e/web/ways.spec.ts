// API keys, feeds, message templates and imports on the profile's screen, and their use from outside.
import { createECDH, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { answer, listen, type Received, until } from "../../src/channels/testing/listen.ts";
import { type ChangingSite, startChangingSite } from "../changing-site.ts";
import { test } from "../fixtures.ts";
import type { Product } from "../product.ts";
import {
  expectAccessible,
  expectAccessibleInVariants,
  logIn,
  mailOf,
  makeAccount,
  signIn,
} from "./visitor.ts";

// Folder for screenshots of the cards; without it none are taken.
const pictures = process.env.WAYS_PICTURES;

let product: Product;
let site: ChangingSite;
test.beforeAll(async ({ product: shared }) => {
  product = shared;
  site = await startChangingSite();
  await makeAccount(product, mailOf("ways"));
  await makeAccount(product, mailOf("words"));
});
test.afterAll(() => site.close());

const expectSoundAtWidths = (page: Page, name: string, fullPage = false): Promise<void> =>
  expectAccessibleInVariants(page, async (look) => {
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${look}.png`), fullPage });
  });

test("an API key, a feed and an import are made on the profile and work from outside", async ({ page }) => {
  await signIn(page, product, mailOf("ways"), "?view=profile&part=data");
  await page.getByRole("button", { name: "New key" }).click();
  await page
    .getByLabel("Name", { exact: true })
    .fill("Nightly cron on the build server with a rather long name");
  await page.getByRole("radio", { name: /^write/ }).check();
  if (pictures) await page.screenshot({ path: join(pictures, "new-key.png") });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByLabel("API key", { exact: true }).inputValue();
  expect(key).toMatch(/^wg_/);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("never used")).toBeVisible();
  const me = await fetch(`${product.url}/api/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(((await me.json()) as { email: string }).email).toBe(mailOf("ways"));

  const list =
    "url,group,minutes,colour\nhttp://127.0.0.1:9/one,Shops,5,red\nhttp://169.254.169.254/,Shops,60,red\n";
  await page.getByLabel("File to import").setInputFiles({
    name: "watches.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(list),
  });
  const dialog = page.getByRole("dialog", { name: "Import watches.csv" });
  await expect(dialog).toContainText("CSV: 1 of 2 jobs can be imported. Nothing has been created yet.");
  await expect(dialog).toContainText(
    "Checked every 60 minutes instead of 5: that’s your plan’s minimum interval.",
  );
  await expect(dialog.getByText("The column “colour” is not known.")).toHaveCount(1);
  if (pictures) await page.screenshot({ path: join(pictures, "import.png") });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Import 1 job" }).click();
  await expect(page.getByText("1 job imported.")).toBeVisible();
  await page.getByLabel("File to import").setInputFiles({
    name: "broken.json",
    mimeType: "application/json",
    buffer: Buffer.from("{"),
  });
  await expect(page.getByText("The file looks like JSON, but isn’t valid JSON.")).toBeVisible();

  await page.getByLabel("New feed for").selectOption({ label: "Imported / 127.0.0.1:9/one" });
  await page.getByRole("button", { name: "Create feed" }).click();
  const address = await page.getByRole("link", { name: "Atom" }).getAttribute("href");
  const feed = await fetch(address ?? "");
  expect([feed.status, await feed.text()]).toEqual([
    200,
    expect.stringContaining("Watchglass: 127.0.0.1:9/one"),
  ]);
  await page.getByRole("button", { name: /^Renew the address/ }).click();
  await expect(page.getByText("The old address no longer works.")).toBeVisible();
  expect((await fetch(address ?? "")).status).toBe(404);

  await expectSoundAtWidths(page, "profile", true);
  await page.getByRole("button", { name: /^Revoke the key/ }).click();
  await expect(page.getByText("No keys yet")).toBeVisible();
  expect((await fetch(`${product.url}/api/me`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
    401,
  );
});

const encryption = createRequire(import.meta.url)("http_ece") as {
  decrypt: (body: Buffer, options: object) => Buffer;
};

/** Starts a push service. Browsers' own can't be reached from here, so the page gets a subscription at this one. */
async function startPushService(page: Page) {
  const received: Received[] = [];
  const server = await listen((request, response) => {
    received.push(request);
    answer(response, 201, "");
  });
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const json = {
    endpoint: `${server.url}/browser`,
    keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
  };
  await page.addInitScript((subscriptionJson) => {
    const subscription = {
      ...subscriptionJson,
      toJSON: () => subscriptionJson,
      unsubscribe: async () => sessionStorage.removeItem("pushed") ?? true,
    } as unknown as PushSubscription;
    PushManager.prototype.subscribe = async () => {
      sessionStorage.setItem("pushed", "yes");
      return subscription;
    };
    PushManager.prototype.getSubscription = async () =>
      sessionStorage.getItem("pushed") ? subscription : null;
  }, json);
  return {
    close: () => server.close(),
    /** The text of the nth message, decrypted with the browser's key. */
    async message(nth: number) {
      const { body } = await until(`message ${nth}`, () => received[nth - 1]);
      return encryption
        .decrypt(body, { version: "aes128gcm", privateKey: ecdh, authSecret: auth })
        .toString();
    },
  };
}

/** The service worker's global scope, with the notifications it has shown. */
type WorkerScope = {
  shown: { title: string; data: unknown }[];
  registration: ServiceWorkerRegistration;
  WindowClient: { prototype: { focus(): Promise<void> } };
  dispatchEvent(event: Event): boolean;
};
declare const ExtendableEvent: typeof Event;

async function api<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const reply = await page.context().request.fetch(`${product.url}${path}`, {
    method,
    headers: { origin: product.url },
    ...(data ? { data } : {}),
  });
  expect([path, reply.ok()]).toEqual([path, true]);
  return (await reply.json()) as T;
}

test("a message template is previewed on a real change; the browser's notification opens that change", async ({
  page,
  context,
}) => {
  const push = await startPushService(page);
  await logIn(page, product, mailOf("words"));
  const { token } = await api<{ token: string }>(page, "GET", "/api/payment/prepare/ultimate");
  await api(page, "POST", "/api/payment/sandbox/complete", { token });
  await until(
    "the plan",
    async () => (await api<{ planId: string }>(page, "GET", "/api/me")).planId !== "basic",
  );

  const profile = `${product.url}/dashboard?view=profile&part=channels`;
  // A headless browser denies every permission that it wasn't given.
  await page.goto(profile);
  const notify = page.getByRole("button", { name: "Turn on in this browser" });
  await expect(page.getByText("Your browser blocks notifications from this site.")).toBeVisible();
  await notify.click();
  await expect(page.getByText("Allow them in the browser’s settings.")).toHaveCount(2);
  if (pictures) await page.screenshot({ path: join(pictures, "push-denied.png"), fullPage: true });
  const oldBrowserPage = await context.newPage();
  await oldBrowserPage.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
  await oldBrowserPage.goto(profile);
  await expect(oldBrowserPage.getByText("This browser doesn’t support notifications.")).toBeVisible();
  await expect(oldBrowserPage.getByRole("button", { name: "Turn on in this browser" })).toBeDisabled();
  await oldBrowserPage.close();
  await context.grantPermissions(["notifications"], { origin: product.url });
  await page.reload();
  await notify.click();
  await expect(page.getByText("You’ll get alerts in this browser.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Turn off in this browser" })).toBeVisible();
  await page.getByRole("button", { name: "Message by Browser" }).click();
  const browserDialog = page.getByRole("dialog", { name: "Message by Browser" });
  await expect(browserDialog).toContainText("It shows plain text");
  await expect(browserDialog.getByRole("region", { name: "Preview" })).toContainText("this is an example");
  if (pictures) await expectSoundAtWidths(page, "message-browser");
  await browserDialog.getByRole("button", { name: "Close", exact: true }).click();

  site.page.rows = ["www.acme.example pays 500 dollars for a finding", "api.acme.example"];
  const group = await api<{ id: string }>(page, "POST", "/api/jobs/groups", { name: "Scopes" });
  const { job } = await api<{ job: { id: string } }>(page, "POST", "/api/jobs/create", {
    name: "Acme",
    url: site.url,
    frequency: 60,
    groupId: group.id,
  });
  const newest = async () =>
    (
      await api<{ executions: { id: string; changed: boolean }[] }>(
        page,
        "GET",
        `/api/jobs/${job.id}/executions`,
      )
    ).executions;
  await until("the first capture", async () => (await newest()).length === 1);
  site.page.rows = ["www.acme.example pays 750 dollars for a finding", "api.acme.example"];
  await api(page, "POST", `/api/jobs/${job.id}/run`);
  const [{ id } = { id: "" }] = await until("the change", async () => {
    const list = await newest();
    return list.length === 2 && list[0]?.changed && list;
  });

  await page.getByRole("button", { name: "Message by Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Message by Email" });
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("Your newest change");
  await dialog.getByLabel("Subject").fill("{{title}} says {{message}}");
  await dialog.getByLabel("Text").fill("**Look:**\n{{words}}\n{{nonsense}}");
  await expect(dialog.getByText(/^\{\{nonsense\}\} isn’t a known placeholder/)).toBeVisible();
  if (pictures) await page.screenshot({ path: join(pictures, "message-bad.png") });
  await dialog.getByLabel("Text").fill("**Look:**\n{{words}}\n{{link}}");
  await expect(preview.getByText("750", { exact: true })).toBeVisible();
  await expect(preview.getByText("Acme says")).toBeVisible();
  await expectSoundAtWidths(page, "message");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Email uses your text from now on.")).toBeVisible();

  // The service worker controls the pages that are loaded from now on.
  await page.reload();
  // Gives the product's message to the service worker, as a push service would.
  const pushedMessage = await push.message(1);
  expect(JSON.parse(pushedMessage)).toMatchObject({
    title: "Acme",
    body: expect.stringContaining("{+750+}"),
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  // A headless browser shows no notification and lets no script focus a page: only these two functions are replaced.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, data: options?.data });
    };
    scope.WindowClient.prototype.focus = async () => undefined;
  });
  const devtools = await context.newCDPSession(page);
  const registrations: { registrationId: string }[] = [];
  devtools.on("ServiceWorker.workerRegistrationUpdated", (event) =>
    registrations.push(...event.registrations),
  );
  await devtools.send("ServiceWorker.enable");
  const { registrationId } = await until("the registration", () => registrations[0]);
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: product.url,
    registrationId,
    data: pushedMessage,
  });
  const notice = await until("the notification", () =>
    worker.evaluate(() => (globalThis as unknown as WorkerScope).shown.at(-1)),
  );
  expect(notice).toMatchObject({ title: "Acme", data: { url: expect.stringContaining(id) } });
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    const notification = { ...scope.shown.at(-1), close: () => scope.shown.pop() };
    const click = new ExtendableEvent("notificationclick");
    scope.dispatchEvent(Object.assign(click, { notification }));
  });
  await expect(page).toHaveURL(new RegExp(`execution=${id}`));
  expect(await worker.evaluate(() => (globalThis as unknown as WorkerScope).shown)).toEqual([]);
  await push.close();
});
