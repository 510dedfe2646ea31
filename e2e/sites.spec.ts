// A job watches a whole site: it is set up in the form, its inventory is searched, and a rule makes jobs of its pages.
// src/sites/crawl-site.db.test.ts tests what a crawl finds.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { createShop } from "#sites/testing/local-shop.ts";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let server: Server;
let page: Page;
let groupId = "";
let jobId = "";
const long = "Quarterly shopfront of the Northern Lights trading company, checkout and returns, second floor";
const longPath = `/${["toys", "tools", "lamps", "books", "chairs"].map((kind) => `catalogue-of-all-the-${kind}-that-we-sell/`).join("")}`;
const shop = createShop({ sections: 3, perSection: 8, traps: ["/private/secret", longPath] });

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product }) => {
  test.setTimeout(240_000);
  shop.overrides.set("/robots.txt", {
    headers: { "content-type": "text/plain" },
    body: "User-agent: *\nDisallow: /private",
  });
  shop.overrides.set(longPath, {
    headers: { "content-type": "text/html" },
    body: `<title>${long.repeat(2)} ${"unbroken".repeat(12)}</title><a href="/">Home</a>
      <script src="https://cdn.${"long-name-of-a-host.".repeat(4)}example/x.js"></script><script>go("/api/v2/orders")</script>`,
  });
  server = createServer((request, response) => void shop.listen(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  watching = await startWatching(product, mailOf("sites"));
  ({ id: groupId } = await watching.call<{ id: string }>("POST", "/api/jobs/groups", { name: "Shops" }));
  page = await watching.open(browser);
});
test.afterAll(async () => {
  await watching.stop();
  server.closeAllConnections();
  server.close();
});

test("the form of a new job takes the limits of a site", async () => {
  const { port } = server.address() as AddressInfo;
  await follow(page, `${watching.product.url}/dashboard?view=jobs&group=${groupId}`);
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  const form = page.getByRole("dialog", { name: "New Job" });
  await form.getByLabel("Name", { exact: true }).fill("The whole shop");
  await form.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${port}/`);
  await form.getByRole("button", { name: /Whole site/ }).click();
  await form.getByLabel("Watch the whole site").check();
  await form.getByLabel("Never these paths").fill("search");
  await form.getByLabel("Pages per check").fill("100");
  await form.getByLabel("Requests per second").fill("5");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText("Begin each line with a slash, e.g. /docs/.")).toBeVisible();
  await form.getByLabel("Never these paths").fill("/search");
  await look(page, "site-form");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form).toBeHidden();
  const { Job } = await watching.call<{ Job: { id: string }[] }>("GET", `/api/jobs/groups/${groupId}`);
  jobId = Job[0]?.id ?? "";
});

test("the inventory shows the progress of the crawl, its pages and its folders", async () => {
  await follow(page, `${watching.product.url}/dashboard?view=jobs&group=${groupId}&job=${jobId}&tab=site`);
  await expect(page.getByText(/known pages|request/).first()).toBeVisible();
  await look(page, "site-progress");
  await watching.executions(jobId, 1);
  await expect(page.getByText(/Crawl 1: 3\d requests/)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("30 pages, 32 addresses")).toBeVisible();
  await expect(page.getByText("1 address wasn’t requested, because robots.txt asks for that.")).toBeVisible();
  const addresses = page.getByRole("list", { name: "Addresses" });
  await expect(addresses.getByText("Not requested: robots.txt asks for that")).toBeVisible();
  await look(page, "site-addresses");
  await expectAccessible(page);
  await page.getByLabel("Source", { exact: true }).selectOption("script");
  await expect(addresses.getByText("Named in a script, not requested")).toBeVisible();
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await look(page, "site-source");
  await page.getByLabel("Source", { exact: true }).selectOption("");
  await page.getByLabel("Search the inventory").fill("item 1");
  await expect(page.getByText(/1–\d+ of \d+/)).toBeVisible();
  await expect(addresses.getByText("Item 17")).toBeVisible();
  await page.getByLabel("Search the inventory").fill("");
  await page.getByRole("button", { name: /^section-1\/ / }).click();
  await expect(page.getByText("1–8 of 8")).toBeVisible();
});

test("templates lead to a rule, whose trial shows its jobs before they are made", async () => {
  await page.getByRole("button", { name: "Templates" }).click();
  await expect(page.getByText("/section-{n}/item/{n}", { exact: true })).toBeVisible();
  await look(page, "site-templates");
  await page.getByRole("button", { name: "Create jobs for /section-{n}/item/{n}" }).click();
  await page.getByLabel("Maximum number of jobs").fill("2");
  await page.getByRole("button", { name: "Preview the jobs" }).click();
  const trial = page.getByRole("region", { name: "Jobs of the rule" });
  await expect(trial.getByText("24 pages match.")).toBeInViewport();
  await look(page, "site-rules");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create 2 jobs" }).click();
  await expect(
    page.getByRole("list", { name: "Rules" }).getByText("2 jobs of at most 2 in Shops"),
  ).toBeVisible();
  await page.getByRole("button", { name: "Edit the rule for /section-{n}/item/{n}" }).click();
  await page.getByLabel("Maximum number of jobs").fill("1");
  await page.getByRole("button", { name: "Preview the jobs" }).click();
  await expect(trial.getByText("Will be paused")).toBeVisible();
  await look(page, "site-rule-changed");
  await page.getByRole("button", { name: "Save the rule" }).click();
  await expect(
    page.getByRole("list", { name: "Rules" }).getByText(/1 job of at most 1 in Shops, .*; 1 retired/),
  ).toBeVisible();
});

test("the difference of two crawls lists what changed", async () => {
  shop.overrides.set("/about", { headers: { "content-type": "text/html" }, body: "<title>Our team</title>" });
  await watching.check(jobId, 2);
  await page.reload();
  await page.getByRole("button", { name: "Difference" }).click();
  const differences = page.getByRole("list", { name: "Differences" });
  await expect(differences.getByText(/Title “About us” → “Our team”/)).toBeVisible();
  await look(page, "site-difference");
  await expectAccessible(page);
});
