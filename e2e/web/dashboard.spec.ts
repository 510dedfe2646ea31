import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures.ts";
import type { Product } from "../product.ts";
import { isLong } from "../size.ts";
import { expectAccessible, expectFits, mailOf, makeAccount, signIn } from "./visitor.ts";

let product: Product;
let site: Server;
let address = "";
let form = "/session";

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  // The account of the tests that create no jobs.
  await makeAccount(product, mailOf("empty"));
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><html lang="en"><title>Shop</title><body style="font:16px sans-serif;margin:40px">
      <h1>Sign in to the shop</h1><p>Your orders, invoices and addresses.</p>
      <form action="${form}" method="post"><input name="email"><input name="password" type="password">
      <button>Sign in</button></form></body></html>`);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/login`;
});
// A request still open when a test ends must not affect the next test.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));
test.afterAll(async () => {
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

/** How far the page's content has moved by itself since it was opened (cumulative layout shift). */
const readShift = `new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.hadRecentInput ? 0 : entry.value)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})`;

/** Calls the API as the page's own user. */
async function call<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const session = (await page.context().cookies()).find(({ name }) => name === "session");
  const answer = await fetch(product.url + path, {
    method,
    headers: {
      authorization: `Bearer ${session?.value}`,
      ...(body ? { "content-type": "application/json" } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

test("a change appears on the open dashboard and in the notifications, without a reload", async ({
  page,
}) => {
  test.setTimeout(180_000);
  await makeAccount(product, mailOf("live"));
  await signIn(page, product, mailOf("live"));
  await expect(page.getByText("You’re not watching any pages yet")).toBeVisible();
  const chart = page.getByRole("region", { name: "Estatísticas por Job" });
  await expect(chart.getByText("Each job gets a bar here.")).toBeVisible();
  await page.evaluate("window.same = true");

  // The first job in one step: enter an address, see its first screenshot.
  const first = page.getByRole("region", { name: /^You’re not watching any pages yet|^Watching/ });
  await first.getByLabel("Page to watch").fill("http://169.254.169.254/");
  await first.getByRole("button", { name: "Watch it" }).click();
  await expect(first.getByLabel("Page to watch")).toHaveAttribute("aria-invalid", "true");
  await first.getByLabel("Page to watch").fill(address);
  await page.keyboard.press("Enter");
  await expect(first.getByRole("img", { name: /^How 127.0.0.1/ })).toBeVisible({ timeout: 90_000 });
  const [group] = await call<{ id: string; name: string }[]>(page, "GET", "/api/jobs/groups");
  expect(group?.name).toBe("My pages");
  const { Job } = await call<{ Job: { id: string }[] }>(page, "GET", `/api/jobs/groups/${group?.id}`);
  const job = { id: Job[0]?.id ?? "" };
  expect(Job).toHaveLength(1);
  await call(page, "PATCH", `/api/jobs/${job.id}`, { name: "Shop login" });
  await page.reload();
  await page.evaluate("window.same = true");
  const stat = (label: string) =>
    page
      .locator("div", { has: page.getByText(label, { exact: true }) })
      .last()
      .locator("dd")
      .first();
  await expect(stat("Total executions made")).toHaveText("1", { timeout: 90_000 });
  await expect(stat("Total groups created")).toHaveText("1");
  await expect(stat("Latest job name")).toHaveText("Shop login");
  await expect(page.getByText("Nothing has changed yet")).toBeVisible();
  await expect(page.getByRole("region", { name: "Next executions" }).getByText("Shop login")).toBeVisible();

  form = "https://collect.example/p";
  await call(page, "POST", `/api/jobs/${job.id}/run`);
  const change = page.getByRole("region", { name: "Recent changes" }).getByRole("listitem");
  await expect(change).toHaveCount(1, { timeout: 90_000 });
  await expect(change).toContainText("Shop login");
  await expect(change.locator("img")).toBeVisible();
  const attention = page.getByRole("region", { name: "Needs your attention" });
  await expect(attention.getByRole("listitem")).toHaveText(/Shop login/);
  await expect(page.getByRole("table", { name: /per job/ }).getByRole("rowheader")).toHaveText([
    "Shop login",
  ]);
  expect(await page.evaluate("window.same")).toBe(true);
  await expectAccessible(page);

  const entry = page.getByRole("button", { name: /Notifications/ });
  await expect(entry).toContainText("1 unread");
  await entry.click();
  const dropdown = page.getByRole("dialog", { name: "Notifications" });
  await expect(dropdown.getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page);
  await dropdown.getByRole("button", { name: "Mark all read" }).click();
  await expect(entry).not.toContainText("unread");
  await expect(attention.getByText("You’re all caught up")).toBeVisible();
  await dropdown.getByRole("button", { name: "See all" }).click();
  const all = page.getByRole("dialog", { name: "All notifications" });
  await expect(all.getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(entry).toBeFocused();

  await change.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`view=jobs&group=${group?.id}&job=${job.id}&execution=`));
});

test("the dashboard shifts nothing while it loads, and loads less than 150 kB of script", async ({
  page,
}) => {
  await makeAccount(product, mailOf("light"));
  await signIn(page, product, mailOf("light"), "?view=profile");
  const { id: groupId } = await call<{ id: string }>(page, "POST", "/api/jobs/groups", { name: "Shops" });
  await call(page, "POST", "/api/jobs/create", { name: "Shop", url: address, frequency: 60, groupId });
  // The end of the first check would be new content, not a shift while loading.
  await expect
    .poll(async () => await call(page, "GET", "/api/analytics/resume"), { timeout: 60_000 })
    .toMatchObject({ total_executions: 1 });
  for (const width of [1280, 375]) {
    const screen = await (
      await page
        .context()
        .browser()
        ?.newContext({
          viewport: { width, height: 800 },
          storageState: await page.context().storageState(),
        })
    )?.newPage();
    if (!screen) throw new Error("no browser");
    const scripts = new Map<string, Promise<number>>();
    screen.on("requestfinished", (request) => {
      if (request.resourceType() === "script" || request.url().endsWith(".js"))
        scripts.set(
          request.url(),
          request.sizes().then(({ responseBodySize }) => responseBodySize),
        );
    });
    await screen.goto(`${product.url}/dashboard`);
    await expect(screen.locator("[data-series]").first()).toBeVisible();
    const shift = await screen.evaluate<number>(readShift);
    expect(shift, `at ${width} px`).toBeLessThan(0.02);
    const sizes = await Promise.all(scripts.values());
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(150_000);
    await screen.context().close();
  }
});

test("the chart of many jobs with names of any kind is paged and readable", async ({ page }) => {
  // The long run has as many as a plan allows.
  const jobs = isLong ? 400 : 40;
  const names = ["Shop", "登录页面", "مراقبة صفحة", "x".repeat(120), "Ünïcödé 👨‍👩‍👧‍👦"];
  await page.route("**/api/analytics/job_statistics", (route) =>
    route.fulfill({
      json: Array.from({ length: jobs }, (_, i) => ({
        job_name: `${names[i % names.length]} ${i}`,
        logs: jobs - i,
        executions: 300,
        errors: i % 7,
      })),
    }),
  );
  await page.route("**/api/analytics/resume", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), total_jobs: jobs, last_job: names[3] } });
  });
  await signIn(page, product, mailOf("empty"));
  const chart = page.getByRole("region", { name: "Estatísticas por Job" });
  await expect(chart.getByText(`1-12 of ${jobs}`)).toBeVisible();
  await expect(chart.locator("[data-series]").first()).toBeVisible();
  await expectAccessible(page);
  for (let i = 12; i < jobs; i += 12) await chart.getByRole("button", { name: "Next jobs" }).click();
  await expect(chart.getByText(`${jobs - 3}-${jobs} of ${jobs}`)).toBeVisible();
  await expect(chart.getByRole("button", { name: "Next jobs" })).toBeDisabled();
  await page.setViewportSize({ width: 600, height: 800 });
  await (isLong ? expectAccessible : expectFits)(page);
  await expect(page.getByText(`${"x".repeat(30)}…`)).toBeVisible();
});

test("each panel shows a server error, and retrying loads it", async ({ page }) => {
  await page.route("**/api/analytics/**", (route) =>
    route.fulfill({ status: 400, json: { code: "INVALID_INPUT", message: "Said by the server." } }),
  );
  await signIn(page, product, mailOf("empty"));
  await expect(page.getByText("We couldn’t load the overview")).toBeVisible();
  await expect(page.getByText("We couldn’t load the statistics")).toBeVisible();
  await expectAccessible(page);
  await page.unroute("**/api/analytics/**");
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect(page.getByText("You’re not watching any pages yet")).toBeVisible();
});
