import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import type { Product } from "./product.ts";
import { expectAccessibleInVariants, mailOf, makeAccount, readMail, signIn } from "./web/visitor.ts";

let product: Product;
let site: Server;
let siteAddress: string;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  site = createServer((_, response) => response.end("watched")).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteAddress = `127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  site.closeAllConnections();
  site.close();
});

/** Makes an account, signs in and opens the plan's screen. */
async function signUpAndOpenPlan(page: Page, email: string): Promise<void> {
  await makeAccount(product, email);
  await signIn(page, product, email);
  await openPlan(page);
}

/** Opens the plan's screen from the dashboard, where sign-in and payment lead. */
async function openPlan(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Plan", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Plan and billing" })).toBeVisible();
  // The plans and the usage above them load separately. A click on a plan would miss if the usage moved it meanwhile.
  await expect(page.getByRole("meter", { name: "Jobs" })).toBeVisible();
}

const cardOf = (page: Page, plan: string) => page.getByRole("article", { name: plan });

/** Chooses a plan and pays for it with a test card. */
async function pay(page: Page, plan: string, button = "Upgrade", card?: RegExp): Promise<void> {
  await cardOf(page, plan).getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog", { name: `Checkout: ${plan}` });
  if (card) await dialog.getByRole("radio", { name: card }).check();
  await dialog.getByRole("button", { name: /^(Pay|Switch)/ }).click();
}

async function closeReceipt(page: Page): Promise<void> {
  const receipt = page.getByRole("dialog", { name: "Payment received" });
  await receipt.getByRole("button", { name: "Close", exact: true }).click();
  await page.waitForURL(`${product.url}/dashboard`);
}

const post = (page: Page, path: string, data: object) =>
  page.request.post(`${product.url}${path}`, { data, headers: { origin: product.url } });

// Each of these tests continues the previous one, on the same page.
test.describe("one account and its subscription", () => {
  let page: Page;
  const bills = () => page.getByRole("region", { name: "Billing history" }).getByRole("listitem");
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  });
  test.afterAll(() => page.context().close());

  test("a user upgrades and sees the bill", async () => {
    await signUpAndOpenPlan(page, mailOf("ada"));
    await expect(cardOf(page, "Basic").getByText("Current plan")).toBeVisible();
    await expect(cardOf(page, "Basic").getByText("0$")).toBeVisible();
    await expect(cardOf(page, "Professional").getByText("9$")).toBeVisible();
    await expect(page.getByText("Nothing billed yet")).toBeVisible();
    await expect(page.getByRole("meter", { name: "Jobs" })).toHaveAttribute("aria-valuetext", "0 of 4");

    await page.getByRole("button", { name: "What's the difference?" }).click();
    const overlay = page.getByRole("dialog", { name: "What's the difference?" });
    await expect(overlay.getByRole("region", { name: "Ultimate" }).getByRole("listitem")).toHaveText([
      "Up to 20 groups",
      "Up to 20 jobs per group",
      "Checks every 5 minutes or slower",
      "Whole sites of up to 100,000 pages",
      "HTTP trigger on any job",
      "Screenshots and HTML diff",
      "Steps before the capture",
      "Email alerts",
      "Telegram alerts",
      "Discord alerts",
      "Slack, Microsoft Teams, ntfy, Matrix, Browser and Webhook alerts",
      "Identities: pages behind a sign-in",
      "Text lookup",
      "Report generation",
      "History kept for 365 days",
    ]);
    await overlay.getByRole("button", { name: "Close", exact: true }).click();

    await pay(page, "Professional");
    await closeReceipt(page);
    await expect(page.getByText("Ana Martins").locator("..")).toContainText("Professional");
    await readMail(product, mailOf("ada"), "You are on the Professional plan");

    await openPlan(page);
    await expect(cardOf(page, "Professional").getByText("Current plan")).toBeVisible();
    await expect(page.getByText(/9\$ a month · Renews on /)).toBeVisible();
    await expect(bills()).toHaveCount(1);
    await expect(bills()).toContainText(
      /^Invoice-txn_[0-9a-v]{26}-ProfessionalAmount: 9 \$.+Status: completed$/,
    );
  });

  test("changing the plan of a running subscription charges the difference", async () => {
    await pay(page, "Ultimate");
    await closeReceipt(page);
    await openPlan(page);
    await expect(bills()).toHaveCount(2);
    await expect(bills().first()).toContainText("-UltimateAmount: 10 $");
    await pay(page, "Professional", "Downgrade");
    await closeReceipt(page);
    await openPlan(page);
    await expect(cardOf(page, "Professional").getByText("Current plan")).toBeVisible();
  });

  test("a subscription is renewed, canceled and resumed", async () => {
    await expect(bills().first()).toBeVisible();
    const count = await bills().count();
    await page.getByRole("button", { name: "+31 days" }).click();
    await expect(bills()).toHaveCount(count + 1);

    await page.getByRole("button", { name: "Cancel subscription" }).click();
    await page.getByRole("button", { name: "Cancel Professional" }).click();
    await expect(page.getByText(/Ends on .+, then Basic/)).toBeVisible();
    await page.getByRole("button", { name: "Resume subscription" }).click();
    await expect(page.getByText(/Renews on /)).toBeVisible();
  });
});

// As above, with another account.
test.describe("one account with a closed checkout, a declined card and a downgrade", () => {
  let page: Page;
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  });
  test.afterAll(() => page.context().close());

  test("closing the checkout leads to the dashboard and keeps the plan", async () => {
    await signUpAndOpenPlan(page, mailOf("plans"));
    await cardOf(page, "Professional").getByRole("button", { name: "Upgrade" }).click();
    await page
      .getByRole("dialog", { name: "Checkout: Professional" })
      .getByRole("button", { name: "Close", exact: true })
      .click();
    await page.waitForURL(`${product.url}/dashboard`);
    await openPlan(page);
    await expect(cardOf(page, "Basic").getByText("Current plan")).toBeVisible();
  });

  test("a declined card changes nothing, and another card can be tried", async () => {
    await pay(page, "Ultimate", "Upgrade", /0002/);
    const dialog = page.getByRole("dialog", { name: "Checkout: Ultimate" });
    await expect(dialog.getByRole("alert")).toHaveText("The card was declined. Nothing was charged.");
    const me = await page.request.get(`${product.url}/api/me`);
    expect((await me.json()).plan).toBe("Basic");
    await dialog.getByRole("radio", { name: /4242/ }).check();
    await expect(dialog.getByRole("alert")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Pay 19$" }).click();
    await closeReceipt(page);
  });

  test("a downgrade limits the jobs, and upgrading again restores them", async () => {
    const group = await (await post(page, "/api/jobs/groups", { name: "Scope" })).json();
    for (let i = 0; i < 5; i++) {
      const job = { name: `Job ${i}`, url: `http://${siteAddress}/`, frequency: 5 + i, groupId: group.id };

      const answer = await post(page, "/api/jobs/create", job);
      expect(answer.status()).toBe(200);
    }
    const jobs = async (): Promise<string[]> => {
      const answer = await page.request.get(`${product.url}/api/jobs/groups/${group.id}`);
      const body: { Job: { name: string; status: string; frequencyMinutes: number }[] } = await answer.json();
      return body.Job.map((job) => `${job.name} ${job.status} ${job.frequencyMinutes}`);
    };
    const before = await jobs();
    expect(before).toHaveLength(5);

    // The jobs were created through the API, not on the open screen.
    await page.reload();
    await openPlan(page);
    await expect(page.getByRole("meter", { name: "Jobs" })).toHaveAttribute("aria-valuetext", "5 of 400");
    await page.getByRole("button", { name: "Cancel subscription" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel subscription" });
    await expect(dialog.getByRole("listitem")).toHaveText([
      "1 job over the limit becomes inactive; the oldest keep running",
      "4 jobs are checked every 60 minutes",
      "Telegram, Discord, Slack, Microsoft Teams, ntfy, Matrix, Browser, and Webhook alerts pause; email alerts continue",
    ]);
    await dialog.getByRole("button", { name: "Cancel Ultimate" }).click();
    await expect(page.getByText(/Ends on .+, then Basic/)).toBeVisible();
    expect(await jobs()).toEqual(before);
    await page.getByRole("button", { name: "+31 days" }).click();
    await expect(cardOf(page, "Basic").getByText("Current plan")).toBeVisible();
    await readMail(product, mailOf("plans"), "You are on the Basic plan now");
    expect(await jobs()).toEqual([
      "Job 0 ACTIVE 60",
      "Job 1 ACTIVE 60",
      "Job 2 ACTIVE 60",
      "Job 3 ACTIVE 60",
      "Job 4 INACTIVE 60",
    ]);

    await pay(page, "Ultimate");
    await closeReceipt(page);
    expect(await jobs()).toEqual(before);
  });
});

test("a failed renewal shows a notice, and 'Pay now' settles it", async ({ page }) => {
  await signUpAndOpenPlan(page, mailOf("unpaid"));
  await pay(page, "Professional", "Upgrade", /0341/);
  await closeReceipt(page);
  await openPlan(page);
  await page.getByRole("button", { name: "+31 days" }).click();
  await expect(page.getByText("The last payment failed.")).toBeVisible();
  await expect(page.getByText("Status: past due")).toBeVisible();
  await readMail(product, mailOf("unpaid"), "The payment for your Professional plan failed");
  await expectAccessibleInVariants(page);
  await page.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("dialog", { name: "Checkout: Professional" })).toBeVisible();
  await expectAccessibleInVariants(page);
  await page.getByRole("button", { name: "Pay 9$" }).click();
  await closeReceipt(page);
  await openPlan(page);
  await expect(page.getByText("The last payment failed.")).toHaveCount(0);
  await expect(page.getByText("Status: past due")).toHaveCount(0);
});
