// One change looked at in every way there is, shared, revoked; and captures that try to act.
import { expect, type Page, test } from "@playwright/test";
import { type ChangingSite, startChangingSite } from "./changing-site.ts";
import { type Product, removeDataDir, startProduct } from "./product.ts";
import { expectSound, makeAccount, password, signIn } from "./web/visitor.ts";

const email = "viewer@example.com";
let product: Product;
let site: ChangingSite;
let token = "";
let jobId = "";
let page: Page;
const outside: string[] = [];
const screen = { viewport: { width: 1280, height: 800 } };

test.describe.configure({ mode: "serial", timeout: 240_000 });

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(product.url + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  return (await answer.json()) as T;
}

async function executions(count: number): Promise<{ id: string; index: number }[]> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { executions: list } = await call<{ executions: { id: string; index: number }[] }>(
      "GET",
      `/api/jobs/${jobId}/executions`,
    );
    if (list.length >= count) return list;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`execution ${count} did not come`);
}

async function check(count: number) {
  await call("POST", `/api/jobs/${jobId}/run`);
  return executions(count);
}

test.beforeAll(async ({ browser }) => {
  site = await startChangingSite();
  product = await startProduct({ EGRESS_ALLOW: site.host, RATE_LIMIT_PER_MINUTE: "100000" });
  await makeAccount(product, email);
  ({ token } = await call<{ token: string }>("POST", "/api/auth/login", { email, password }));
  const { id: groupId } = await call<{ id: string }>("POST", "/api/jobs/groups", { name: "Programmes" });
  const { job } = await call<{ job: { id: string } }>("POST", "/api/jobs/create", {
    name: "Acme scope",
    url: site.url,
    frequency: 60,
    groupId,
  });
  jobId = job.id;
  await executions(1);
  site.page.banner = "New: up to $20,000";
  site.page.rows[1] = "api2.acme.example";
  await check(2);
  // axe wants a page of a context of its own.
  page = await (await browser.newContext(screen)).newPage();
  page.on("request", (request) => {
    if (!request.url().startsWith(product.url) && !request.url().startsWith("blob:"))
      outside.push(request.url());
  });
  await signIn(page, product, email);
});
test.afterAll(async () => {
  await page.context().close();
  await product.stop();
  site.close();
  await removeDataDir(product.dataDir);
});

const viewer = () => page.getByRole("dialog", { name: "Acme scope" });
const patient = { timeout: 60_000 };

test("two clicks from the menu to the change", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("list", { name: "Executions" }).getByRole("link").first().click();
  await expect(viewer().getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await expect(viewer().getByText("Against #1")).toBeVisible();
  await expectSound(page);
});

test("every image mode, by keys; the address carries it", async () => {
  for (const [key, mode] of [
    ["2", "slider"],
    ["3", "onion"],
    ["4", "blink"],
    ["5", "difference"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`mode=${mode}`));
    await expect(viewer().locator("[data-region]").first()).toBeAttached();
  }
  await page.keyboard.press("1");
  await expect(viewer().locator("[data-scroller]")).toHaveCount(2);
});

test("an inserted banner does not shift the rest: what stands is level", async () => {
  const gap = await page.evaluate<{ banner: number; height: number }>(`(() => {
    const [before, after] = [...document.querySelectorAll("[data-scroller]")];
    const bands = (scroller) => [...scroller.querySelectorAll(".bg-white > div")].map((band) =>
      ({ top: band.offsetTop, height: band.offsetHeight, gap: !band.style.backgroundSize }));
    const gaps = bands(before).filter((band) => band.gap);
    return { banner: gaps[0]?.top ?? -1, height: bands(before).length - bands(after).length };
  })()`);
  expect(gap).toEqual({ banner: 0, height: 0 });
});

test("regions are stepped through, scroll is linked", async () => {
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/at=1/);
  for (let i = 0; i < 6; i++) await page.keyboard.press("+");
  const tops = () =>
    page.evaluate<number[]>(
      "[...document.querySelectorAll('[data-scroller]')].map((one) => Math.round(one.scrollTop))",
    );
  // Until the larger size is drawn there is nothing to scroll.
  await expect
    .poll(async () => {
      await page.evaluate("document.querySelector('[data-scroller]').scrollTop = 120");
      return tops();
    })
    .toEqual([120, 120]);
});

test("HTML: side by side, word marks, filter, unified, wrap, search", async () => {
  await page.keyboard.press("i");
  await expect(viewer().getByText(/^\d+ of \d+ changes?$/)).toBeVisible(patient);
  await expect(viewer().locator(".bg-added-mark").first()).toBeVisible();
  const identical = viewer().getByText("Rule 3: be kind to production systems.");
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/filter=1/);
  await expect(identical).toHaveCount(0);
  await expect(
    viewer()
      .getByText(/identical lines$/)
      .first(),
  ).toBeVisible();
  await expectSound(page);
  await viewer()
    .getByText(/identical lines$/)
    .last()
    .click();
  await page.keyboard.press("f");
  await page.keyboard.press("u");
  await expect(page).toHaveURL(/layout=unified/);
  await expectSound(page);
  await page.keyboard.press("w");
  await page.keyboard.press("/");
  await page.keyboard.type("api2");
  await expect(viewer().getByText("1 of 1 hit")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer()).toBeVisible();
});
